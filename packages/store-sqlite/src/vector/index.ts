export { cosine, normalize, quantize, signBytes, vectorTolerance } from "./quantize.js";
export { SignScan } from "./sign-scan.js";
export { type ScanHit, VectorScan } from "./vector-scan.js";
