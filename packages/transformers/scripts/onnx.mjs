// Writes ONNX files. They are protocol buffers; the numbers of fields and types are those of onnx.proto.

export const FLOAT = 1;
export const INT8 = 3;
export const INT64 = 7;

const IR_VERSION = 9;
/** The first set of operators that has both LayerNormalization and Gelu. */
const OPSET = 20;
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

/** @typedef {{ name: string, type: number, dims: readonly (string | number)[] }} Value an input or output */
/** @typedef {Float32Array | Int8Array | BigInt64Array} Numbers */

/** A graph that is put together operator by operator; values are known by name. */
export class OnnxGraph {
  /** @type {Buffer[]} */
  #nodes = [];
  /** @type {Buffer[]} */
  #tensors = [];
  #count = 0;

  /**
   * Adds a tensor of numbers that the model brings along.
   *
   * @param {readonly number[]} dims @param {Numbers} numbers
   * @returns {string} its name
   */
  tensor(dims, numbers) {
    const name = this.#newName();
    const type = numbers instanceof Float32Array ? FLOAT : numbers instanceof Int8Array ? INT8 : INT64;
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    this.#tensors.push(
      Buffer.concat([...dims.map((dim) => varintField(1, dim)), varintField(2, type), field(8, name), field(9, bytes)]),
    );
    return name;
  }

  /**
   * Adds an operator of one output.
   *
   * @param {string} type @param {readonly string[]} inputs
   * @param {Readonly<Record<string, number | readonly number[] | { float: number }>>} attributes whole numbers unless
   * said otherwise
   * @param {string} output its name, where it matters
   * @returns {string} the name of the output
   */
  op(type, inputs, attributes = {}, output = this.#newName()) {
    this.#add(type, inputs, [output], attributes);
    return output;
  }

  /**
   * Adds DynamicQuantizeLinear: numbers as bytes, one scale and one zero point for all of them.
   *
   * @param {string} input
   * @returns {{ bytes: string, scale: string, zeroPoint: string }}
   */
  quantize(input) {
    const [bytes, scale, zeroPoint] = [this.#newName(), this.#newName(), this.#newName()];
    this.#add("DynamicQuantizeLinear", [input], [bytes, scale, zeroPoint], {});
    return { bytes, scale, zeroPoint };
  }

  /** The file. @param {{ inputs: readonly Value[], outputs: readonly Value[] }} ends @returns {Buffer} */
  file({ inputs, outputs }) {
    const graph = Buffer.concat([
      ...this.#nodes.map((bytes) => field(1, bytes)),
      field(2, "graph"),
      ...this.#tensors.map((bytes) => field(5, bytes)),
      ...inputs.map((value) => field(11, valueInfo(value))),
      ...outputs.map((value) => field(12, valueInfo(value))),
    ]);
    const operators = Buffer.concat([field(1, ""), varintField(2, OPSET)]);
    return Buffer.concat([varintField(1, IR_VERSION), field(7, graph), field(8, operators)]);
  }

  /**
   * @param {string} type @param {readonly string[]} inputs @param {readonly string[]} outputs
   * @param {Readonly<Record<string, number | readonly number[] | { float: number }>>} attributes
   */
  #add(type, inputs, outputs, attributes) {
    this.#nodes.push(
      Buffer.concat([
        ...inputs.map((name) => field(1, name)),
        ...outputs.map((name) => field(2, name)),
        field(3, this.#newName()),
        field(4, type),
        ...Object.entries(attributes).map(([name, value]) => field(5, attribute(name, value))),
      ]),
    );
  }

  #newName() {
    this.#count++;
    return `v${this.#count}`;
  }
}

/** @param {string} name @param {number | readonly number[] | { float: number }} value */
function attribute(name, value) {
  if (typeof value === "number") {
    return Buffer.concat([field(1, name), varintField(3, value), varintField(20, ATTRIBUTE_INT)]);
  }
  if ("float" in value) {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt8((2 << 3) | 5);
    bytes.writeFloatLE(value.float, 1);
    return Buffer.concat([field(1, name), bytes, varintField(20, ATTRIBUTE_FLOAT)]);
  }
  const integers = value.map((integer) => varintField(8, integer));
  return Buffer.concat([field(1, name), ...integers, varintField(20, ATTRIBUTE_INTS)]);
}

/** @param {Value} value */
function valueInfo({ name, type, dims }) {
  const shape = dims.map((dim) => field(1, typeof dim === "string" ? field(2, dim) : varintField(1, dim)));
  const tensor = Buffer.concat([varintField(1, type), field(2, Buffer.concat(shape))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensor))]);
}

/** @param {number} id @param {Buffer | string} content */
function field(id, content) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
}

/** @param {number} id @param {number} value not negative */
function varintField(id, value) {
  return Buffer.concat([varint(id << 3), varint(value)]);
}

/** @param {number} value */
function varint(value) {
  const bytes = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
