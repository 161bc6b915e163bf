import { jsonFormOf } from '../../lib/json-form.ts';
import { isObject, problemsOf } from './check.ts';
import { isGoodKey } from './names.ts';
import { taints } from './placement.ts';
import { isPlainMetadata } from './plain-metadata.ts';
import { resourceList } from './resources.ts';
import { quantities } from './structure.ts';

/** The letters of the suffixes Ki, Mi, Gi and m. */
const [KIBI, MEBI, GIBI, BI, MILLI] = [75, 77, 71, 105, 109];
const MOST_DIGITS = 9;

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
    (allocatable === undefined || areAmounts(allocatable)) &&
    (capacity === undefined || areAmounts(capacity)) &&
    (images === undefined || areImages(images)) &&
    (declaredFeatures === undefined || areTexts(declaredFeatures, 1))
  );
}

function areAmounts(amounts: unknown): boolean {
  return (
    arePlainAmounts(amounts) || problemsOf(resourceList, amounts).length + problemsOf(quantities, amounts).length === 0
  );
}

function arePlainAmounts(amounts: unknown): boolean {
  if (!isObject(amounts)) return false;
  for (const name in amounts) if (!isPlainAmount(name, amounts[name]) || !isGoodKey(name)) return false;
  return true;
}

/** Whether the amount has few digits and no suffix but Ki, Mi or Gi; m only of CPU, of which parts can be had. */
function isPlainAmount(name: string, amount: unknown): boolean {
  if (typeof amount !== 'string') return false;
  const { length } = amount;
  let digits = 0;
  while (digits < length && isDigit(amount.charCodeAt(digits))) digits++;
  if (digits === 0 || digits > MOST_DIGITS) return false;
  if (length === digits) return true;
  const first = amount.charCodeAt(digits);
  if (length === digits + 1) return first === MILLI && name === 'cpu';
  const isBinary = first === KIBI || first === MEBI || first === GIBI;
  return isBinary && length === digits + 2 && amount.charCodeAt(digits + 1) === BI;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
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
