(module
  (import "env" "memory" (memory 1))

  ;; out[j] = sum over k < count of weights[k] * rows[ids[k] * dimensions + j], for every j < dimensions.
  ;;
  ;; rows: int8; ids: i32; weights, out: f32; all of them byte addresses. dimensions is a positive multiple of 16.
  ;; Every product and every sum is rounded to single precision, with k ascending: scalar-pooling.ts does the same
  ;; and its results are equal bit for bit. So no fused multiply-add, and no lane holds more than one column.
  ;;
  ;; Sixteen columns at a time stay in registers while the loop runs over the tokens.
  (func (export "sum")
    (param $rows i32) (param $dimensions i32) (param $ids i32) (param $weights i32) (param $count i32) (param $out i32)
    (local $column i32) (local $offset i32) (local $end i32)
    (local $weight v128) (local $bytes v128) (local $low v128) (local $high v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)

    (local.set $end (i32.shl (local.get $count) (i32.const 2)))
    (loop $columns
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $c (v128.const f32x4 0 0 0 0))
      (local.set $d (v128.const f32x4 0 0 0 0))
      (local.set $offset (i32.const 0))

      (block $summed
        (loop $tokens
          (br_if $summed (i32.eq (local.get $offset) (local.get $end)))
          (local.set $weight (v128.load32_splat (i32.add (local.get $weights) (local.get $offset))))
          (local.set $bytes
            (v128.load
              (i32.add
                (i32.add (local.get $rows) (local.get $column))
                (i32.mul (i32.load (i32.add (local.get $ids) (local.get $offset))) (local.get $dimensions)))))
          (local.set $low (i16x8.extend_low_i8x16_s (local.get $bytes)))
          (local.set $high (i16x8.extend_high_i8x16_s (local.get $bytes)))
          (local.set $a
            (f32x4.add (local.get $a)
              (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $low))))))
          (local.set $b
            (f32x4.add (local.get $b)
              (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $low))))))
          (local.set $c
            (f32x4.add (local.get $c)
              (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $high))))))
          (local.set $d
            (f32x4.add (local.get $d)
              (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $high))))))
          (local.set $offset (i32.add (local.get $offset) (i32.const 4)))
          (br $tokens)))

      (v128.store (local.get $out) (local.get $a))
      (v128.store offset=16 (local.get $out) (local.get $b))
      (v128.store offset=32 (local.get $out) (local.get $c))
      (v128.store offset=48 (local.get $out) (local.get $d))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $column (i32.add (local.get $column) (i32.const 16)))
      (br_if $columns (i32.lt_u (local.get $column) (local.get $dimensions))))))
