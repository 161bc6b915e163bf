import type { KindInfo } from '../api/kinds.ts';
import { decompressed } from './decompress.ts';
import { Expander, type FoundObject } from './expand.ts';
import { FILE_MAX_BYTES, type FileSource, type OpenFile, shownName } from './file-source.ts';
import type { LeftOut } from './left-out.ts';
import { manifestError, type SourceDocument } from './source-document.ts';
import { StreamDecoder } from './stream-decoder.ts';

/** Receives the progress in a file from time to time, since long files take a while. `totalBytes` 0: unknown. */
export type ReadProgress = (file: string, doneBytes: number, totalBytes: number) => void;

export interface DocumentOptions {
  readonly onProgress?: ReadProgress | undefined;
  /** Called after each chunk; it throws when there is no memory for more. */
  readonly checkMemory?: (() => void) | undefined;
}

export interface FindOptions<K extends string> extends DocumentOptions {
  readonly kinds: { readonly [Name in K]: KindInfo };
  /** Counts the objects of other kinds; null: these are refused. */
  readonly leftOut: LeftOut | null;
}

/**
 * Finds the objects of these kinds in some files, in order: YAML with several documents, JSON, one JSON object a line,
 * Lists of any size, gzip, zstd; `-` is standard input. Every file has to hold at least one object.
 */
export async function findObjects<K extends string>(
  files: readonly string[],
  source: FileSource,
  options: FindOptions<K>,
  onFound: (found: FoundObject<K>, file: string) => void,
): Promise<void> {
  let expander: Expander<K> | undefined;
  let expanded = '';
  await findDocuments(files, source, options, (document, file) => {
    if (expander === undefined || expanded !== file) expander = new Expander(file, options.kinds, options.leftOut);
    expanded = file;
    for (const found of expander.expand(document)) onFound(found, file);
  });
}

/** Finds the documents in some files, in order, those of large Lists item by item. */
export async function findDocuments(
  files: readonly string[],
  source: FileSource,
  options: DocumentOptions,
  onDocument: (document: SourceDocument, file: string) => void,
): Promise<void> {
  for (const name of files) {
    const file = shownName(name);
    const { sizeBytes, chunks } = await opened(name, source);
    const decoder = new StreamDecoder(file);
    let isEmpty = true;
    const take = (documents: ReturnType<StreamDecoder['end']>) => {
      for (const document of documents) {
        isEmpty = false;
        onDocument(document, file);
      }
    };
    let doneBytes = 0;
    const counted = counting(chunks, (bytes) => {
      doneBytes += bytes;
    });
    for await (const chunk of decompressed(counted, file)) {
      take(decoder.push(chunk));
      options.checkMemory?.();
      options.onProgress?.(file, doneBytes, sizeBytes ?? 0);
    }
    take(decoder.end());
    if (isEmpty) throw manifestError('InvalidObject', `${file}: holds no Kubernetes object`);
  }
}

async function opened(name: string, source: FileSource): Promise<OpenFile> {
  if (source.open !== undefined) return source.open(name);
  const bytes = await source.read(name, FILE_MAX_BYTES);
  return { sizeBytes: bytes.length, chunks: one(bytes) };
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* counting(chunks: AsyncIterable<Uint8Array>, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    add(chunk.length);
    yield chunk;
  }
}
