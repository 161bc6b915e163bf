/**
 * What `@kubernetes/client-node`, which is made of the API's published OpenAPI document, says of types, for those that
 * `kubernetes-models` does not have. It says nothing of members that are objects: these texts are our own.
 */
import { existsSync, readFileSync } from 'node:fs';

/** What is said of a type; of its members by name. */
export interface Description {
  text?: string;
  fields?: Record<string, string>;
  required?: string[];
  enums?: Record<string, string[]>;
}

const MODELS = new URL('../node_modules/client-node-2/dist/gen/models/', import.meta.url);

const METADATA =
  "Standard object's metadata. More info: " +
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';
const POLICY = 'How the pods of the group are scheduled: one by one (basic), or all together (gang). It is immutable.';
const CONSTRAINTS =
  'Where the pods of the group have to be. It needs the feature gate TopologyAwareWorkloadScheduling.';

/** Our own words about members that are objects. */
const OF_OBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PodGroup: {
    metadata: METADATA,
    spec: 'What the group of pods asks for.',
    status: 'What was last observed of the group.',
  },
  PodGroupSchedulingPolicy: {
    basic: 'The pods are scheduled as far as they fit, as if they were in no group.',
    gang: 'No pod is bound before as many as minCount have a place.',
  },
  PodGroupSpec: {
    podGroupTemplateRef: 'The template from which the group was made. It is immutable.',
    schedulingConstraints: CONSTRAINTS,
    schedulingPolicy: POLICY,
  },
  PodGroupTemplate: { schedulingConstraints: CONSTRAINTS, schedulingPolicy: POLICY },
  PodGroupTemplateReference: { workload: 'The template of a Workload in the namespace of the group.' },
  Workload: { metadata: METADATA, spec: 'The templates of groups.' },
  WorkloadSpec: { controllerRef: 'The object that controls the workload, such as a Job; for tools. It is immutable.' },
};

/** Types without members have no model: our own words. */
const WITHOUT_MODEL: Readonly<Record<string, string>> = {
  BasicSchedulingPolicy: 'Pods are scheduled as if they were in no group. There is nothing to set.',
};

/** The description of a type such as `scheduling/v1alpha2.PodGroup`; undefined if nothing is said of it. */
export function clientDescription(id: string): Description | undefined {
  const [version = '', name = ''] = (id.split('/')[1] ?? '').split('.');
  if (version !== 'v1alpha2') return undefined;
  const own = WITHOUT_MODEL[name];
  if (own !== undefined) return { text: own };
  const path = new URL(`${version.replace('v', 'V')}${name}.d.ts`, MODELS);
  return existsSync(path) ? described(readFileSync(path, 'utf8'), OF_OBJECTS[name] ?? {}) : undefined;
}

function described(source: string, own: Readonly<Record<string, string>>): Description {
  const start = source.indexOf('export declare class ');
  const description: Description = { text: commentBefore(source.slice(0, start)) ?? '' };
  const body = source.slice(start, source.indexOf('static readonly discriminator', start));
  for (const { 1: name = '', 2: mark, index } of body.matchAll(/\n {4}'([^']+)'(\??): /g)) {
    if (name === 'apiVersion' || name === 'kind') continue;
    const text = commentBefore(body.slice(0, index)) ?? own[name];
    if (text !== undefined) description.fields = { ...description.fields, [name]: text };
    if (mark === '') description.required = [...(description.required ?? []), name];
  }
  return description;
}

/** The text of the comment at the end of a piece of source, whose paragraphs the package has put into one line. */
function commentBefore(source: string): string | undefined {
  const found = /\/\*\*\n\s*\* ([^\n]*)\n\s*\*\/\s*$/.exec(source);
  return found?.[1]?.replace(/\\(['"])/g, '$1').replace(/\. {2}(?=[A-Z])/g, '.\n\n');
}
