import { embedderConformance } from "@docsearch/conformance";
import { test } from "vitest";
import { staticEmbedder } from "../src/index.js";

embedderConformance({ test, load: () => staticEmbedder().load(), knowsOnlyLatin: true });
