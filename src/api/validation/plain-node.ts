import { jsonFormOf } from '../../lib/json-form.ts';
import { RecentRecords } from '../../lib/recent-records.ts';
import { isObject, problemsOf } from './check.ts';
import { taints } from './placement.ts';
import { areAmounts } from './plain-amounts.ts';
import { isPlainMetadata } from './plain-metadata.ts';

/**
 * Whether the node is valid at a glance: it passes all checks of nodes, thorough or not, and holds no null. Nodes that
 * are not are left to the checks, which may accept them.
 */
export function isPlainNode(node: unknown): boolean {
  if (!isObject(node)) return false;
  const { apiVersion, kind, metadata, spec, status } = node;
  return (
    (apiVersion === undefined || apiVersion === 'v1') &&
    (kind === undefined || kind === 'Node') &&
    isPlainMetadata(metadata) &&
    (spec === undefined || isPlainSpec(spec)) &&
    (status === undefined || isPlainStatus(status)) &&
    jsonFormOf(node) === 'plain'
  );
}

function isPlainSpec(spec: unknown): boolean {
  if (!isObject(spec)) return false;
  const { unschedulable } = spec;
  if (unschedulable !== undefined && typeof unschedulable !== 'boolean') return false;
  return spec['taints'] === undefined || problemsOf(taints, spec['taints']).length === 0;
}

function isPlainStatus(status: unknown): boolean {
  if (!isObject(status)) return false;
  const { allocatable, capacity, images, declaredFeatures } = status;
  return (
    (allocatable === undefined || areKnownAmounts(allocatable)) &&
    (capacity === undefined || areKnownAmounts(capacity)) &&
    (images === undefined || areImages(images)) &&
    (declaredFeatures === undefined || areTexts(declaredFeatures, 1))
  );
}

/** Amounts of the last nodes that were found to be valid: a node mostly has what the one before it has. */
const KNOWN_AMOUNTS = new RecentRecords<true>(4);

function areKnownAmounts(amounts: unknown): boolean {
  if (!isObject(amounts)) return false;
  if (KNOWN_AMOUNTS.get(amounts)) return true;
  if (!areAmounts(amounts)) return false;
  KNOWN_AMOUNTS.set(amounts, true);
  return true;
}

function areImages(images: unknown): boolean {
  if (!Array.isArray(images)) return false;
  for (let i = 0; i < images.length; i++) {
    const image: unknown = images[i];
    if (!isObject(image) || !(image['names'] === undefined || areTexts(image['names'], 0))) return false;
    const { sizeBytes } = image;
    if (sizeBytes !== undefined && !(Number.isSafeInteger(sizeBytes) && (sizeBytes as number) >= 0)) return false;
  }
  return true;
}

function areTexts(list: unknown, shortest: number): boolean {
  if (!Array.isArray(list)) return false;
  for (let i = 0; i < list.length; i++) {
    const text: unknown = list[i];
    if (typeof text !== 'string' || text.length < shortest) return false;
  }
  return true;
}
