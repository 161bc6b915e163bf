import { DistributionError, parseDistribution } from '../../lib/distribution.ts';
import { parseQuantity } from '../quantity.ts';
import { isObject, type Problem, quote, show, type UnknownObject } from './check.ts';

/** The prefix of annotations by which pods say what their simulated containers do. */
export const BEHAVIOUR_PREFIX = 'berth.dev/';

/** The exit codes of a setting; null: it is malformed. */
export function parseExitCodes(text: string): readonly number[] | null {
  const codes = EXIT_CODES.test(text) ? text.split(',').map(Number) : [];
  return codes.length > 0 && codes.every((code) => code <= 255) ? codes : null;
}

const EXIT_CODES = /^\d{1,3}(?:\s*,\s*\d{1,3})*$/;

/** The settings by name, each with what is wrong with a text; undefined: nothing. */
const SETTINGS: Readonly<Record<string, (text: string) => string | undefined>> = {
  'pull-duration': distributionReason,
  'start-latency': distributionReason,
  'run-duration': distributionReason,
  'exit-codes': (text) => (parseExitCodes(text) === null ? 'is not a list of exit codes, such as 1,1,0' : undefined),
  'startup-delay': distributionReason,
  'ready-delay': distributionReason,
  'stop-duration': distributionReason,
  'memory-use': quantityReason,
};

/**
 * The problems of the annotations under `berth.dev/` of a pod, or of the template of a workload: unknown names, values
 * that are malformed, containers that are not there.
 */
export function behaviourProblems(object: UnknownObject): Problem[] {
  const problems: Problem[] = [];
  checkPod(object, '', problems);
  for (const path of TEMPLATE_PATHS) {
    const template = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), object);
    if (isObject(template)) checkPod(template, `${path.join('.')}.`, problems);
  }
  return problems;
}

const TEMPLATE_PATHS = [
  ['spec', 'template'],
  ['spec', 'jobTemplate', 'spec', 'template'],
];

function checkPod({ metadata, spec }: UnknownObject, path: string, problems: Problem[]): void {
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  if (!isObject(annotations)) return;
  for (const [key, text] of Object.entries(annotations)) {
    if (!key.startsWith(BEHAVIOUR_PREFIX)) continue;
    const reason = reasonOf(key.slice(BEHAVIOUR_PREFIX.length), text, spec);
    if (reason !== undefined) problems.push({ field: `${path}metadata.annotations[${key}]`, reason });
  }
}

function reasonOf(name: string, text: unknown, spec: unknown): string | undefined {
  const [setting = '', ...container] = name.split('.');
  const check = Object.hasOwn(SETTINGS, setting) ? SETTINGS[setting] : undefined;
  if (check === undefined) return `unknown annotation (known: ${Object.keys(SETTINGS).join(', ')})`;
  const containers = containerNames(spec);
  if (container.length > 0 && containers !== null && !containers.has(container.join('.'))) {
    return `there is no container ${quote(container.join('.'))}`;
  }
  if (typeof text !== 'string') return `must be a string, not ${show(text)}`;
  const reason = check(text);
  return reason === undefined ? undefined : `${quote(text)} ${reason}`;
}

/** The names of a pod's containers; null when it has none, as other objects. */
function containerNames(spec: unknown): ReadonlySet<unknown> | null {
  if (!isObject(spec)) return null;
  const lists = [spec['containers'], spec['initContainers']].filter((list) => Array.isArray(list));
  if (lists.length === 0) return null;
  return new Set(lists.flat().map((container: unknown) => (isObject(container) ? container['name'] : undefined)));
}

function distributionReason(text: string): string | undefined {
  try {
    parseDistribution(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof DistributionError)) throw error;
    return `is not a duration or distribution: ${error.message}`;
  }
}

function quantityReason(text: string): string | undefined {
  try {
    parseQuantity(text);
    return undefined;
  } catch {
    return 'is not a quantity';
  }
}
