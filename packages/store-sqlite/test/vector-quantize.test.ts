import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cosine, normalize, quantize, signBytes, vectorTolerance } from "../src/vector/index.js";
import { gaussianVectors } from "./vector-data.js";

/** Any finite vector with a direction, components down to the smallest floats and up to the largest. */
const anyVector = (dimensions: number) =>
  fc
    .float32Array({ minLength: dimensions, maxLength: dimensions, noNaN: true, noDefaultInfinity: true })
    .filter((vector) => vector.some((component) => component !== 0));

function exactCosine(a: Float32Array, b: Float32Array): number {
  const sizeA = Math.max(...a.map(Math.abs));
  const sizeB = Math.max(...b.map(Math.abs));
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let j = 0; j < a.length; j++) {
    const x = a[j]! / sizeA;
    const y = b[j]! / sizeB;
    dot += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return dot / Math.sqrt(squaresA * squaresB);
}

function storedCosine(query: Float32Array, vector: Float32Array): number {
  const { row, scale } = quantize(vector);
  return cosine(normalize(query), row, scale);
}

describe("quantize", () => {
  test("the largest component becomes 127, the scale makes the row a unit vector", () => {
    const { row, scale, signs } = quantize(Float32Array.of(3, -4, 0));
    expect([...row]).toEqual([95, -127, 0]);
    expect(scale).toBe(Math.fround(1 / Math.sqrt(95 * 95 + 127 * 127)));
    expect([...signs]).toEqual([0b001, ...new Array(15).fill(0)]);
  });

  test("halves are rounded away from zero on both sides", () => {
    expect([...quantize(Float32Array.of(254, 1, -1, 3, -3, 0.99)).row]).toEqual([127, 1, -1, 2, -2, 0]);
  });

  test("only the direction counts", () => {
    for (const vector of gaussianVectors(1, 20, 50)) {
      expect(quantize(vector.map((component) => component * 2 ** -100))).toEqual(quantize(vector));
    }
  });

  test("the opposite vector has the opposite row", () => {
    for (const vector of gaussianVectors(2, 20, 50)) {
      const { row, scale } = quantize(vector);
      const opposite = quantize(vector.map((component) => -component));
      expect(opposite.scale).toBe(scale);
      expect([...opposite.row]).toEqual([...row].map((component) => 0 - component));
    }
  });

  test("rows stay within -127 and 127 and have a finite scale for every vector", () => {
    fc.assert(
      fc.property(anyVector(7), (vector) => {
        const { row, scale } = quantize(vector);
        expect(Math.max(...row.map(Math.abs))).toBe(127);
        expect(Math.hypot(...row) * scale).toBeCloseTo(1, 6);
      }),
    );
  });

  test("signs are 1 above zero only, lowest bit first, padded with zeros to 128", () => {
    const vector = new Float32Array(130).fill(-1);
    vector.set([1, 0, -0, 2], 0);
    vector[9] = 1e-30;
    vector[129] = 1;
    const { signs } = quantize(vector);
    expect(signs.length).toBe(32);
    expect([...signs.subarray(0, 2)]).toEqual([0b00001001, 0b00000010]);
    expect([...signs.subarray(2, 16)]).toEqual(new Array(14).fill(0));
    expect([...signs.subarray(16)]).toEqual([0b10, ...new Array(15).fill(0)]);
  });

  test("signBytes", () => {
    expect([1, 127, 128, 129, 256, 384, 1000].map(signBytes)).toEqual([16, 16, 16, 32, 32, 48, 128]);
  });
});

describe("normalize", () => {
  test("gives a copy of unit length", () => {
    const vector = Float32Array.of(3 * 2 ** 100, -4 * 2 ** 100);
    const unit = normalize(vector);
    expect([...unit]).toEqual([Math.fround(0.6), Math.fround(-0.8)]);
    expect([...vector]).toEqual([3 * 2 ** 100, -4 * 2 ** 100]);
    expect([...normalize(Float32Array.of(1e-45, 0))]).toEqual([1, 0]);
  });
});

describe("cosine", () => {
  test("is the scaled dot product", () => {
    expect(cosine(Float32Array.of(0.5, -0.25, 0, 1, 2), Int8Array.of(2, 4, 100, -8, 3), 0.5)).toBe(-1);
    expect(cosine(Float32Array.of(1), Int8Array.of(-127), 1 / 127)).toBe(-1);
  });

  test.each([1, 2, 3, 5, 50, 256])("adds every product of %i dimensions", (dimensions) => {
    const [query, vector] = gaussianVectors(3, 2, dimensions) as [Float32Array, Float32Array];
    const { row, scale } = quantize(vector);
    const naive = query.reduce((sum, component, j) => sum + component * row[j]!, 0) * scale;
    expect(cosine(query, row, scale)).toBeCloseTo(naive, 12);
  });
});

describe("vectorTolerance", () => {
  test("values", () => {
    expect([1, 3, 16, 50, 256, 384, 1024].map((n) => Number(vectorTolerance(n).toFixed(4)))).toEqual([
      0, 0.0056, 0.0152, 0.0276, 0.0628, 0.0769, 0.1252,
    ]);
  });

  test.each([1, 3, 4, 16, 50, 256])("holds for any pair of %i dimensions", (dimensions) => {
    fc.assert(
      fc.property(anyVector(dimensions), anyVector(dimensions), (query, vector) => {
        const error = Math.abs(storedCosine(query, vector) - exactCosine(query, vector));
        expect(error).toBeLessThanOrEqual(vectorTolerance(dimensions));
      }),
    );
  });

  // One large component, the others just short of half a step: all of them are lost. The query that feels it most lies
  // in the plane of the vector and its row, across the line between them.
  test.each([3, 16, 50, 256, 384, 1024])("is all but reached by the worst vector of %i dimensions", (dimensions) => {
    const vector = new Float32Array(dimensions).fill(0.99999);
    vector[0] = 254;
    expect([...quantize(vector).row]).toEqual([127, ...new Array(dimensions - 1).fill(0)]);
    const unit = normalize(vector);
    const query = Float32Array.from(unit, (component, j) => component - (j === 0 ? 1 : 0));
    const error = Math.abs(storedCosine(query, vector) - exactCosine(query, vector));
    expect(error).toBeLessThanOrEqual(vectorTolerance(dimensions));
    expect(error).toBeGreaterThan(vectorTolerance(dimensions) * 0.999);
  });

  test.each([16, 50, 256])(
    "holds for vectors of %i dimensions near the worst, and queries along their error",
    (dimensions) => {
      fc.assert(
        fc.property(
          fc.double({ min: 0.5, max: 1000, noNaN: true }),
          fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
            minLength: dimensions - 1,
            maxLength: dimensions - 1,
          }),
          (large, others) => {
            const vector = Float32Array.of(large, ...others);
            const { row, scale } = quantize(vector);
            const unit = normalize(vector);
            const query = Float32Array.from(unit, (component, j) => component - row[j]! * scale);
            if (!query.some((component) => component !== 0)) return;
            const error = Math.abs(storedCosine(query, vector) - exactCosine(query, vector));
            expect(error).toBeLessThanOrEqual(vectorTolerance(dimensions));
          },
        ),
      );
    },
  );

  test("random vectors stay far below it, and a vector's own copy scores 1 but for the angle squared", () => {
    const vectors = gaussianVectors(4, 400, 256);
    let squares = 0;
    for (let i = 0; i + 1 < vectors.length; i++) {
      squares += (storedCosine(vectors[i]!, vectors[i + 1]!) - exactCosine(vectors[i]!, vectors[i + 1]!)) ** 2;
      const own = storedCosine(vectors[i]!, vectors[i]!);
      expect(own).toBeGreaterThan(0.9999);
      expect(own).toBeLessThan(1.0000001);
    }
    expect(Math.sqrt(squares / (vectors.length - 1)).toFixed(4)).toBe("0.0004");
  });
});
