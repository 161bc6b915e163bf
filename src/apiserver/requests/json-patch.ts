/** JSON Patch (RFC 6902) as the API applies it: a replaced member need not exist. */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';

export interface PatchOperation {
  readonly op: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

/** What all copies of a patch may take together, in bytes: a copy into itself doubles (JSONPatchMaxCopyBytes). */
const COPIES_MAX_BYTES = 3 * 2 ** 20;

/** A patch that cannot be applied to the document. */
export class JsonPatchError extends Error {}

/** Applies the operations to a copy of the document. @throws JsonPatchError */
export function applyJsonPatch(document: JsonValue, operations: readonly PatchOperation[]): JsonValue {
  const root: Root = { document: structuredClone(document), copiedBytes: 0 };
  for (const operation of operations) applyOperation(root, operation);
  return root.document;
}

interface Root {
  document: JsonValue;
  copiedBytes: number;
}

function applyOperation(root: Root, { op, path, from, value }: PatchOperation): void {
  switch (op) {
    case 'add':
    case 'replace':
      put(root, path, required(value), op === 'add');
      break;
    case 'remove':
      remove(root, path);
      break;
    case 'move': {
      const moved = read(root, from ?? '');
      remove(root, from ?? '');
      put(root, path, moved, true);
      break;
    }
    case 'copy':
      put(root, path, copied(root, read(root, from ?? '')), true);
      break;
    case 'test':
      if (!isDeepStrictEqual(lookUp(root, path), value ?? null)) throw new JsonPatchError(`test failed at ${path}`);
      break;
    default:
      throw new JsonPatchError(`unexpected kind ${JSON.stringify(op)}`);
  }
}

function copied(root: Root, value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  root.copiedBytes += Buffer.byteLength(text);
  if (root.copiedBytes > COPIES_MAX_BYTES) throw new JsonPatchError(`copies of more than ${COPIES_MAX_BYTES} bytes`);
  return JSON.parse(text) as JsonValue;
}

function required(value: JsonValue | undefined): JsonValue {
  if (value === undefined) throw new JsonPatchError('an operation has no value');
  return structuredClone(value);
}

function parts(path: string | undefined): string[] {
  if (path === undefined) throw new JsonPatchError('an operation has no path');
  if (path === '') return [];
  if (!path.startsWith('/')) throw new JsonPatchError(`the path ${JSON.stringify(path)} does not begin with a slash`);
  return path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type Container = JsonObject | JsonValue[];

/** The object or list that holds the last part of a path. */
function parentOf(root: Root, path: string | undefined): { parent: Container; key: string } {
  const keys = parts(path);
  const key = keys.pop();
  if (key === undefined) throw new JsonPatchError('the whole document cannot be changed');
  let at: JsonValue | undefined = root.document;
  for (const step of keys) at = member(at, step);
  if (!isContainer(at)) throw new JsonPatchError(`there is nothing at ${path}`);
  return { parent: at, key };
}

function isContainer(value: JsonValue | undefined): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[indexIn(value, key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function indexIn(list: readonly JsonValue[], key: string): number {
  if (!/^-?\d+$/.test(key)) throw new JsonPatchError(`${JSON.stringify(key)} is no index`);
  const index = Number(key);
  return index < 0 ? list.length + index : index;
}

function lookUp(root: Root, path: string | undefined): JsonValue {
  if (path === '') return root.document;
  const { parent, key } = parentOf(root, path);
  return member(parent, key) ?? null;
}

function read(root: Root, path: string): JsonValue {
  if (path === '') return root.document;
  const { parent, key } = parentOf(root, path);
  const found = member(parent, key);
  if (found === undefined) throw new JsonPatchError(`there is nothing at ${path}`);
  return found;
}

function put(root: Root, path: string | undefined, value: JsonValue, inserts: boolean): void {
  if (path === '') {
    root.document = value;
    return;
  }
  const { parent, key } = parentOf(root, path);
  if (!Array.isArray(parent)) {
    parent[key] = value;
    return;
  }
  const index = key === '-' ? parent.length : indexIn(parent, key);
  if (index < 0 || index > parent.length - (inserts ? 0 : 1)) throw new JsonPatchError(`there is nothing at ${path}`);
  parent.splice(index, inserts ? 0 : 1, value);
}

function remove(root: Root, path: string | undefined): void {
  const { parent, key } = parentOf(root, path);
  if (member(parent, key) === undefined) throw new JsonPatchError(`there is nothing at ${path}`);
  if (Array.isArray(parent)) parent.splice(indexIn(parent, key), 1);
  else delete parent[key];
}
