import type { KubernetesObject } from '../../api/meta.ts';
import { badRequest } from '../objects/api-error.ts';
import type { Resource } from '../objects/resources.ts';

/** The field by which node agents select pods; selectors of other resources of this store cannot name it. */
export const NODE_NAME = 'spec.nodeName';

export interface FieldRequirement {
  readonly field: string;
  readonly path: readonly string[];
  /** The path that is read instead when the field is empty. */
  readonly otherPath: readonly string[] | undefined;
  /** The text that stands for an absent field. */
  readonly zero: string;
  readonly value: string;
  readonly isEqual: boolean;
}

/**
 * The selectable fields of each kind besides `metadata.name` and `metadata.namespace` (upstream: the field label
 * conversions of each kind).
 */
const FIELDS: Readonly<Partial<Record<Resource, readonly string[]>>> = {
  pods: [
    NODE_NAME,
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  jobs: ['status.successful'],
  namespaces: ['status.phase'],
  replicasets: ['status.replicas'],
  replicationcontrollers: ['status.replicas'],
  services: ['spec.clusterIP', 'spec.type'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
};

/** Fields that have another path in the object than in a selector. */
const PATHS: Readonly<Record<string, string>> = { 'status.successful': 'status.succeeded', source: 'source.component' };

/** Fields that have a second path: an event without a source is attributed to its reporting component. */
const OTHER_PATHS: Readonly<Record<string, readonly string[]>> = { source: ['reportingComponent'] };

/** Absent numbers and booleans are selected by their zero value; absent texts by the empty string. */
const ZEROS: Readonly<Record<string, string>> = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.successful': '0',
  'status.replicas': '0',
};

/**
 * Parses a selector such as `spec.nodeName=node-1,status.phase!=Failed`; `\` escapes `,`, `=` and `\`.
 *
 * @throws ApiError BadRequest
 */
export function parseFieldSelector(resource: Resource, text: string): readonly FieldRequirement[] {
  const terms: readonly string[] = text.match(/(?:\\.?|[^,\\])+/gs) ?? [];
  return terms
    .filter((term) => term !== '')
    .map((term) => {
      const match = /^(?<field>[^=!\\]*)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term);
      if (match === null) throw badRequest(`invalid field selector ${JSON.stringify(text)}: cannot understand ${term}`);
      const { field = '', operator, value = '' } = match.groups ?? {};
      if (!isSelectable(resource, field)) throw badRequest(`field label not supported: ${field}`);
      const path = (PATHS[field] ?? field).split('.');
      const where = { field, path, otherPath: OTHER_PATHS[field], zero: ZEROS[field] ?? '' };
      return { ...where, value: unescaped(term, value), isEqual: operator !== '!=' };
    });
}

export function matchesField(requirement: FieldRequirement, object: KubernetesObject): boolean {
  const { path, otherPath, zero, value, isEqual } = requirement;
  let found = valueAt(object, path);
  if (otherPath !== undefined) found ||= valueAt(object, otherPath);
  return ((found === undefined ? zero : String(found)) === value) === isEqual;
}

/** The member at the path; undefined where there is none. */
export function valueAt(object: KubernetesObject, path: readonly string[]): unknown {
  let found: unknown = object;
  for (const key of path) found = (found as Record<string, unknown> | undefined)?.[key];
  return found;
}

function isSelectable(resource: Resource, field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace' || (FIELDS[resource]?.includes(field) ?? false);
}

function unescaped(term: string, value: string): string {
  return value.replace(/\\(.)|([=\\])/gs, (_, escaped: string | undefined) => {
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped;
    throw badRequest(`invalid field selector: cannot understand ${term}`);
  });
}
