export { type Budget, fitLines, fits, spend } from "./passages/budget.js";
export { documentLines } from "./passages/document-lines.js";
export { fitPassages, type PassageText } from "./passages/fit-passages.js";
export { resultLines } from "./passages/result-passages.js";
