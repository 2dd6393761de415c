/** The part of @huggingface/transformers that this package uses. It is loaded by name, so its types are not here. */
export interface TransformersModule {
  readonly env: {
    cacheDir: string | null;
    localModelPath: string;
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    remoteHost: string;
    logLevel?: number;
  };
  readonly AutoTokenizer: { from_pretrained(name: string, options: FileOptions): Promise<Tokenizer> };
  readonly AutoModel: { from_pretrained(name: string, options: ModelOptions): Promise<Model> };
  readonly AutoModelForSequenceClassification: { from_pretrained(name: string, options: ModelOptions): Promise<Model> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => Tensor;
}

export interface FileOptions {
  readonly revision: string;
  readonly progress_callback: (info: FileProgress) => void;
}

export interface ModelOptions extends FileOptions {
  readonly dtype: string;
  readonly device: string;
  readonly session_options: Readonly<Record<string, unknown>>;
}

export interface FileProgress {
  readonly status: string;
  readonly file?: string;
  readonly loaded?: number;
  readonly total?: number;
}

export interface Tokenizer {
  (text: string, options: { readonly text_pair?: string; readonly return_tensor: false } & TokenizerFlags): Encoding;
  readonly model_max_length: number;
  readonly pad_token_id: number | undefined;
  readonly padding_side: string;
}

export interface TokenizerFlags {
  readonly add_special_tokens: boolean;
  readonly return_token_type_ids: boolean;
}

export interface Encoding {
  readonly input_ids: readonly number[];
  readonly token_type_ids?: readonly number[];
}

export interface Tensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
  dispose(): void;
}

/** Takes tensors by the names of the model's inputs and gives tensors by those of its outputs. */
export type Model = (inputs: Readonly<Record<string, Tensor>>) => Promise<Readonly<Record<string, Tensor | undefined>>>;
