import { defaultNode, defaultPod } from '../api/defaults.ts';
import { KINDS, type Kind, type KindInfo } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import { defaultObject } from '../api/object-defaults.ts';
import type { Pod } from '../api/pod.ts';
import type { PriorityClass } from '../api/priority-class.ts';
import { behaviourProblems } from '../api/validation/behaviour-settings.ts';
import { isObject, quote, type UnknownObject } from '../api/validation/check.ts';
import { validateObject } from '../api/validation/objects.ts';
import { admit } from './admit.ts';
import type { ClusterManifest, OtherObject } from './cluster-manifest.ts';
import type { FoundObject } from './expand.ts';
import { FieldWarnings, type ValidationMode } from './field-warnings.ts';
import { type FileSource, shownName } from './file-source.ts';
import { findObjects, type ReadProgress } from './find-objects.ts';
import { LeftOut } from './left-out.ts';
import { References } from './references.ts';
import { checkWithoutKnownImages } from './shared-images.ts';
import { manifestError } from './source-document.ts';
import { Warnings } from './warnings.ts';
import { removeNulls } from './without-nulls.ts';
import {
  type Expand,
  isWorkloadKind,
  makesPods,
  validateWorkloadManifest,
  WORKLOAD_KINDS,
  type WorkloadManifest,
} from './workload-manifest.ts';

export interface Manifests extends Required<ClusterManifest> {
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

export interface ReadOptions {
  readonly onProgress?: ReadProgress | undefined;
  /** Called from time to time; it throws when there is no memory for more. */
  readonly checkMemory?: (() => void) | undefined;
  /** Refuses what is otherwise left out or warned about: kinds without a meaning here, pods on missing nodes. */
  readonly isStrict?: boolean | undefined;
  /** What happens about unknown fields; absent: `warn`. */
  readonly validate?: ValidationMode | undefined;
  /** Makes the pods that workloads lack; absent: workloads are left out. */
  readonly expand?: Expand | undefined;
}

/**
 * Reads the objects of some files: YAML with several documents, JSON, one JSON object a line, Lists of any size; `-` is
 * standard input. Objects of kinds that scheduling does not read are left out and counted in a warning. Nothing is
 * returned before everything is checked; API defaults are applied, and what admission adds.
 *
 * @throws CodedError with the first problem: file, object, field and reason in one line
 */
export async function readManifests(
  files: readonly string[],
  source: FileSource,
  { onProgress, checkMemory, isStrict = false, validate = 'warn', expand }: ReadOptions = {},
): Promise<Manifests> {
  const sorted = new SortedObjects();
  const references = new References();
  const warnings = new Warnings();
  const fields = new FieldWarnings(validate);
  const leftOut = new LeftOut();

  const workloadKinds = expand === undefined ? undefined : WORKLOAD_KINDS;
  const kinds = { ...KINDS, ...workloadKinds } as { readonly [Name in ReadKind]: KindInfo };
  let count = 0;
  await findObjects(
    files,
    source,
    {
      kinds,
      leftOut: isStrict ? null : leftOut,
      onProgress,
      checkMemory,
    },
    (found, file) => {
      count++;
      const { value, title } = checked(found, file, fields);
      if (!references.add(found.kind, value, file, title)) return;
      if (!isWorkloadKind(found.kind)) warnings.note(found.kind, value, title);
      sorted.add({ kind: found.kind, value });
    },
  );
  const leftOutText = leftOut.text();
  if (count === 0 && leftOutText !== null) {
    const reason = `holds no object that scheduling reads (${leftOutText})`;
    throw manifestError('UnsupportedKind', `${files.map(shownName).join(', ')}: ${reason}`);
  }
  const expansion = expand?.(sorted.workloads, sorted);
  if (expansion !== undefined) {
    for (const pod of expansion.pods) references.addMade(pod);
    sorted.replacePods(expansion.claimed);
    sorted.pods.push(...expansion.pods);
    sorted.others.push(...expansion.others);
  }
  const lost = references.check(isStrict);
  const leftOutTexts = leftOutText === null ? [] : [leftOutText];
  const texts = [...leftOutTexts, ...(expansion?.notes ?? []), ...fields.texts(), ...lost, ...warnings.texts()];
  return { ...admit(sorted, sorted.priorityClasses), warnings: texts };
}

/** The kinds that are read: those of scheduling, and those that make pods. */
type ReadKind = Kind | keyof typeof WORKLOAD_KINDS;

/** Checked objects by what they are used for, with the defaults that need no other object. */
class SortedObjects implements Required<ClusterManifest> {
  readonly nodes: Node[] = [];
  readonly pods: Pod[] = [];
  readonly others: OtherObject[] = [];
  readonly priorityClasses: PriorityClass[] = [];
  readonly workloads: WorkloadManifest[] = [];

  replacePods(by: ReadonlyMap<Pod, Pod> = new Map()): void {
    for (const [i, pod] of this.pods.entries()) this.pods[i] = by.get(pod) ?? pod;
  }

  add({ kind, value }: Pick<FoundObject<ReadKind>, 'kind' | 'value'>): void {
    if (makesPods(kind)) this.workloads.push({ kind, object: value });
    if (isWorkloadKind(kind)) return;
    if (kind === 'Node') this.nodes.push(defaultNode(value as Node));
    else if (kind === 'Pod') this.pods.push(defaultPod(value as Pod));
    else if (kind === 'PriorityClass') this.priorityClasses.push(value as unknown as PriorityClass);
    else this.others.push({ kind, object: defaultObject(kind, value) } as OtherObject);
  }
}

/** The object without nulls, and its title in messages. Throws when a field is wrong. */
function checked(
  found: FoundObject<ReadKind>,
  file: string,
  fields: FieldWarnings,
): { readonly value: UnknownObject; readonly title: string } {
  const { kind, value } = found;
  const title = titleOf(found, () => isWorkloadKind(kind) || KINDS[kind].isNamespaced);
  dropManagedFields(value);
  checkWithoutKnownImages(value, () => {
    if (!removeNulls(value)) throw manifestError('InvalidObject', `${file}: ${title}: is nested too deeply`);
    const areKnown = fields.check(kind, value, file, title);
    const problems = isWorkloadKind(kind) ? validateWorkloadManifest(kind, value) : validateObject(kind, value);
    const problem = problems[0] ?? behaviourProblems(value)[0];
    if (problem === undefined) return areKnown;
    throw manifestError('InvalidObject', `${file}: ${title}: ${problem.field}: ${problem.reason}`);
  });
  return { value, title };
}

/** Drops the bookkeeping of server-side apply, which is often longer than the object itself. */
function dropManagedFields(value: UnknownObject): void {
  const { metadata } = value;
  if (!isObject(metadata) || metadata['managedFields'] === undefined) return;
  const { managedFields: _, ...others } = metadata;
  (value as { metadata: UnknownObject }).metadata = others;
}

/** The title of an object: `Pod default/web-1`, `Node n1`, or `Pod (line 12)` when it has no name. */
export function titleOf({ kind, value, place }: FoundObject<string>, isNamespaced: (kind: string) => boolean): string {
  const metadata = value['metadata'];
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (!isObject(metadata) || typeof name !== 'string' || name === '') return `${kind} (${place})`;
  if (!isNamespaced(kind)) return `${kind} ${shown(name)}`;
  const namespace = metadata['namespace'];
  return `${kind} ${typeof namespace === 'string' && namespace !== '' ? shown(namespace) : 'default'}/${shown(name)}`;
}

/** The longest name that the API allows. */
const NAME_LENGTH_MAX = 253;

/** A name that has not been checked yet, in a form that fits into a line. */
function shown(name: string): string {
  const isPlain = name.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(name);
  return isPlain ? name : quote(name);
}
