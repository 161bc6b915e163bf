/** JSON Patch (RFC 6902) as the API applies it: a replaced member need not exist. */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';
import { setMember } from '../../kinds/schema/decode.ts';

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
  for (const operation of operations) applyOperation(root, operation ?? {});
  return root.document;
}

interface Root {
  document: JsonValue;
  copiedBytes: number;
}

/** Upstream: gopkg.in/evanphx/json-patch.v4. A value that is not given is null. */
function applyOperation(root: Root, { op, path, from, value = null }: Partial<PatchOperation>): void {
  switch (op) {
    case 'add':
      add(placeIn(root, path), structuredClone(value));
      break;
    case 'replace':
      replace(root, path, structuredClone(value));
      break;
    case 'remove':
      remove(placeIn(root, path));
      break;
    case 'move': {
      const place = placeIn(root, from);
      const moved = read(place);
      remove(place);
      add(placeIn(root, path), moved);
      break;
    }
    case 'copy': {
      const given = read(placeIn(root, from));
      add(placeIn(root, path), copied(root, given));
      break;
    }
    case 'test': {
      const found = path === '' ? root.document : read(placeIn(root, path));
      if (!isDeepStrictEqual(found, value)) throw new JsonPatchError(`test failed at ${path}`);
      break;
    }
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

type Container = JsonObject | JsonValue[];

/** A member of an object, or an item of a list, which need not be there. */
interface Place {
  readonly parent: Container;
  readonly key: string;
}

/** The place that a path names. What stands before its first slash is not looked at. */
function placeIn({ document }: Root, path: unknown): Place {
  if (typeof path !== 'string') throw new JsonPatchError('an operation lacks a path');
  const [, ...keys] = path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop();
  if (key === undefined) throw new JsonPatchError(`the path ${JSON.stringify(path)} names no part of the document`);
  let parent: JsonValue = document;
  for (const step of keys) parent = isContainer(parent) ? read({ parent, key: step }) : null;
  if (!isContainer(parent)) throw new JsonPatchError(`there is nothing at ${path}`);
  return { parent, key };
}

function isContainer(value: JsonValue): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

/** The value at a place: null for a member that is not there. An item has to be there. */
function read({ parent, key }: Place): JsonValue {
  if (Array.isArray(parent)) return parent[indexIn(parent.length, key)] as JsonValue;
  return Object.hasOwn(parent, key) ? (parent[key] as JsonValue) : null;
}

/** The index of one of so many places; negative ones count from the end. */
function indexIn(count: number, key: string): number {
  const given = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  const index = given < 0 ? count + given : given;
  if (index >= 0 && index < count) return index;
  throw new JsonPatchError(`${JSON.stringify(key)} is no index of ${count} items`);
}

function add({ parent, key }: Place, value: JsonValue): void {
  if (!Array.isArray(parent)) setMember(parent, key, value);
  else parent.splice(key === '-' ? parent.length : indexIn(parent.length + 1, key), 0, value);
}

function replace(root: Root, path: unknown, value: JsonValue): void {
  if (path === '') {
    if (!isContainer(value)) throw new JsonPatchError('the document can only be replaced by an object or a list');
    root.document = value;
    return;
  }
  const { parent, key } = placeIn(root, path);
  if (Array.isArray(parent)) parent[indexIn(parent.length, key)] = value;
  else setMember(parent, key, value);
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(indexIn(parent.length, key), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw new JsonPatchError(`there is no member ${JSON.stringify(key)}`);
}
