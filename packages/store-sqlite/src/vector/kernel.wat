;; The two inner loops of vector search. plain-kernel.ts holds the same functions in JavaScript, result for result.
;;
;; Both walk the rows of the slots from $slot to $end, rows $width bytes apart, $width a multiple of 16. They pass over
;; slots whose byte at $allowed is 0, append a record at $out for each of the others that is good enough, and return
;; the address behind the last record.
;;
;; Rows are read once and in order, from more memory than any cache holds. What the processor fetches ahead by itself
;; ends at each page of 4 kB, so the loops touch every cache line 16 kB (READ_AHEAD) before it is computed, and that
;; much memory must follow the last row. Over a million rows of 256 bytes this saves a quarter to a half of the time.
(module
  (import "env" "memory" (memory 1))

  ;; Records {score f64, slot i32, 4 bytes unused} of the slots with query . row * scale >= $floor, and a scale that
  ;; is not 0. The query is i16, $width numbers; rows are i8; scales are f32. 32 bits must hold the dot product; the
  ;; sums on the way to it may wrap.
  (func (export "dot")
    (param $query i32) (param $row i32) (param $width i32) (param $scale i32) (param $allowed i32)
    (param $slot i32) (param $end i32) (param $floor f64) (param $out i32) (result i32)
    (local $s v128) (local $t v128) (local $q i32) (local $stop i32) (local $unrolled i32) (local $score f64)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $slot) (local.get $end)))
        (local.set $stop (i32.add (local.get $row) (local.get $width)))
        (block $pass
          (br_if $pass (i32.eqz (i32.load8_u (local.get $allowed))))
          (br_if $pass (f32.eq (f32.load (local.get $scale)) (f32.const 0)))
          (local.set $s (v128.const i32x4 0 0 0 0))
          (local.set $t (v128.const i32x4 0 0 0 0))
          (local.set $q (local.get $query))
          (local.set $unrolled (i32.add (local.get $row) (i32.and (local.get $width) (i32.const -64))))
          (block $short
            (br_if $short (i32.ge_u (local.get $row) (local.get $unrolled)))
            (loop $step
              (local.set $s (i32x4.add (local.get $s) (i32x4.dot_i16x8_s
                (v128.load8x8_s (local.get $row)) (v128.load (local.get $q)))))
              (local.set $t (i32x4.add (local.get $t) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=8 (local.get $row)) (v128.load offset=16 (local.get $q)))))
              (local.set $s (i32x4.add (local.get $s) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=16 (local.get $row)) (v128.load offset=32 (local.get $q)))))
              (local.set $t (i32x4.add (local.get $t) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=24 (local.get $row)) (v128.load offset=48 (local.get $q)))))
              (local.set $s (i32x4.add (local.get $s) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=32 (local.get $row)) (v128.load offset=64 (local.get $q)))))
              (local.set $t (i32x4.add (local.get $t) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=40 (local.get $row)) (v128.load offset=80 (local.get $q)))))
              (local.set $s (i32x4.add (local.get $s) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=48 (local.get $row)) (v128.load offset=96 (local.get $q)))))
              (local.set $t (i32x4.add (local.get $t) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=56 (local.get $row)) (v128.load offset=112 (local.get $q)))))
              (drop (i32.load8_u offset=16384 (local.get $row)))
              (local.set $row (i32.add (local.get $row) (i32.const 64)))
              (local.set $q (i32.add (local.get $q) (i32.const 128)))
              (br_if $step (i32.lt_u (local.get $row) (local.get $unrolled)))))
          (block $whole
            (br_if $whole (i32.ge_u (local.get $row) (local.get $stop)))
            (loop $step
              (local.set $s (i32x4.add (local.get $s) (i32x4.dot_i16x8_s
                (v128.load8x8_s (local.get $row)) (v128.load (local.get $q)))))
              (local.set $t (i32x4.add (local.get $t) (i32x4.dot_i16x8_s
                (v128.load8x8_s offset=8 (local.get $row)) (v128.load offset=16 (local.get $q)))))
              (local.set $row (i32.add (local.get $row) (i32.const 16)))
              (local.set $q (i32.add (local.get $q) (i32.const 32)))
              (br_if $step (i32.lt_u (local.get $row) (local.get $stop)))))
          (local.set $s (i32x4.add (local.get $s) (local.get $t)))
          (local.set $score (f64.mul
            (f64.promote_f32 (f32.load (local.get $scale)))
            (f64.convert_i32_s (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $s)) (i32x4.extract_lane 1 (local.get $s)))
              (i32.add (i32x4.extract_lane 2 (local.get $s)) (i32x4.extract_lane 3 (local.get $s)))))))
          (br_if $pass (i32.eqz (f64.ge (local.get $score) (local.get $floor))))
          (f64.store (local.get $out) (local.get $score))
          (i32.store offset=8 (local.get $out) (local.get $slot))
          (local.set $out (i32.add (local.get $out) (i32.const 16))))
        (local.set $row (local.get $stop))
        (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
        (local.set $allowed (i32.add (local.get $allowed) (i32.const 1)))
        (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
        (br $next)))
    (local.get $out))

  ;; Records {slot i32, distance i32} of the slots with a Hamming distance <= $ceiling, and a byte at $present that is
  ;; not 0. The query is $width bytes.
  (func (export "hamming")
    (param $query i32) (param $row i32) (param $width i32) (param $present i32) (param $allowed i32)
    (param $slot i32) (param $end i32) (param $ceiling i32) (param $out i32) (result i32)
    (local $s v128) (local $q i32) (local $stop i32) (local $distance i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $slot) (local.get $end)))
        (local.set $stop (i32.add (local.get $row) (local.get $width)))
        (block $pass
          (br_if $pass (i32.eqz (i32.load8_u (local.get $allowed))))
          (br_if $pass (i32.eqz (i32.load8_u (local.get $present))))
          (local.set $s (v128.const i32x4 0 0 0 0))
          (local.set $q (local.get $query))
          (loop $step
            (local.set $s (i32x4.add (local.get $s)
              (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u
                (i8x16.popcnt (v128.xor (v128.load (local.get $row)) (v128.load (local.get $q))))))))
            (local.set $row (i32.add (local.get $row) (i32.const 16)))
            (local.set $q (i32.add (local.get $q) (i32.const 16)))
            (br_if $step (i32.lt_u (local.get $row) (local.get $stop))))
          (local.set $distance (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $s)) (i32x4.extract_lane 1 (local.get $s)))
            (i32.add (i32x4.extract_lane 2 (local.get $s)) (i32x4.extract_lane 3 (local.get $s)))))
          (br_if $pass (i32.gt_s (local.get $distance) (local.get $ceiling)))
          (i32.store (local.get $out) (local.get $slot))
          (i32.store offset=4 (local.get $out) (local.get $distance))
          (local.set $out (i32.add (local.get $out) (i32.const 8))))
        (local.set $row (local.get $stop))
        (local.set $present (i32.add (local.get $present) (i32.const 1)))
        (local.set $allowed (i32.add (local.get $allowed) (i32.const 1)))
        (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
        (br $next)))
    (local.get $out)))
