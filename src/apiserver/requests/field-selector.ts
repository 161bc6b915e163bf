/** Field selectors in a query, with the texts of the API's parser. Upstream: apimachinery/pkg/fields/selector.go. */

import { type ApiResource, kindText } from '../../kinds/object/api-resource.ts';
import type { JsonObject } from '../../kinds/object/json.ts';
import { badRequest } from '../../kinds/object/refusals.ts';

/** Where the value of a selectable field is, and the text that stands for an absent one. */
interface Field {
  readonly path: readonly string[];
  readonly otherPath?: readonly string[];
  readonly zero?: string;
}

const METADATA: Readonly<Record<string, Field>> = {
  'metadata.name': { path: ['metadata', 'name'] },
  'metadata.namespace': { path: ['metadata', 'namespace'] },
};

interface Selectable {
  readonly fields: Readonly<Record<string, Field>>;
  /** The refusal of another field. */
  readonly unknown: (field: string) => string;
}

function plain(fields: readonly string[], zeros: Readonly<Record<string, string>> = {}): Selectable {
  const entries = fields.map((field) => [field, { path: field.split('.'), zero: zeros[field] ?? '' }] as const);
  const all = { ...METADATA, ...Object.fromEntries(entries) };
  return { fields: all, unknown: (field) => `field label not supported: ${field}` };
}

/** The fields of a kind without namespaces whose conversion says so. */
function ofCluster(fields: readonly string[], zeros: Readonly<Record<string, string>> = {}): Selectable {
  const { fields: all, unknown } = plain(fields, zeros);
  const { 'metadata.namespace': _, ...others } = all;
  return { fields: others, unknown };
}

/** The members of an event's reference; `as` is their prefix in selectors, `at` in objects. */
function references(as: string, at: string): Record<string, Field> {
  const members = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  return Object.fromEntries(members.map((member) => [`${as}.${member}`, { path: [at, member] }]));
}

const UNKNOWN_FIELD = (field: string): string =>
  `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

const ONLY_METADATA: Selectable = { fields: METADATA, unknown: UNKNOWN_FIELD };

const PODS = plain(
  [
    ...['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'spec.hostNetwork'],
    ...['status.phase', 'status.podIP', 'status.nominatedNodeName'],
  ],
  { 'spec.hostNetwork': 'false' },
);

/** Kinds that have more selectable fields than name and namespace, or another refusal (each kind's conversions). */
const SELECTABLE: Readonly<Record<string, Selectable>> = {
  Pod: {
    ...PODS,
    fields: {
      ...PODS.fields,
      // A name of old clients, and a field that is allowed but has no value.
      'spec.host': { path: ['spec', 'nodeName'] },
      'status.podIPs': { path: [] },
    },
  },
  Node: ofCluster(['spec.unschedulable'], { 'spec.unschedulable': 'false' }),
  ReplicationController: plain(['status.replicas'], { 'status.replicas': '0' }),
  Namespace: ofCluster(['status.phase']),
  Secret: plain(['type']),
  Service: plain(['spec.clusterIP', 'spec.type']),
  Event: {
    ...plain(['reason', 'reportingComponent', 'type']),
    fields: {
      ...plain(['reason', 'reportingComponent', 'type']).fields,
      ...references('involvedObject', 'involvedObject'),
      source: { path: ['source', 'component'], otherPath: ['reportingComponent'] },
    },
  },
  'Event.events.k8s.io': {
    ...plain([]),
    fields: {
      ...plain(['reason', 'reportingController', 'type']).fields,
      ...references('regarding', 'regarding'),
    },
  },
  'Job.batch': {
    fields: { ...METADATA, 'status.successful': { path: ['status', 'succeeded'], zero: '0' } },
    unknown: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  },
  'CertificateSigningRequest.certificates.k8s.io': ofCluster(['spec.signerName']),
  'ResourceSlice.resource.k8s.io': {
    ...ofCluster(['spec.nodeName', 'spec.driver']),
    unknown: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  },
};

interface Requirement {
  readonly field: string;
  readonly isEqual: boolean;
  readonly value: string;
}

export interface FieldSelector {
  matches(object: JsonObject): boolean;
  /** Whether a field is selected that may have a default, which objects of this process can lack. */
  readonly readsDefaults: boolean;
  /** The value that is wanted of a field, if one is. */
  wanted(field: string): string | undefined;
}

/** The fields of built-in kinds that are never given a default. */
const WITHOUT_DEFAULTS: ReadonlySet<string> = new Set(['metadata.name', 'metadata.namespace', 'spec.nodeName']);

/** Parses a selector; undefined for one that selects everything. @throws StatusError BadRequest */
export function parseFieldSelector(text: string, resource: ApiResource): FieldSelector | undefined {
  const requirements = splitTerms(text)
    .sort()
    .filter((term) => term !== '')
    .map((term) => requirementOf(text, term));
  const { fields, unknown } = resource.isCustom
    ? selectableOf(resource)
    : (SELECTABLE[kindText(resource)] ?? ONLY_METADATA);
  const tests = requirements.map(({ field, isEqual, value }) => {
    const at = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (at === undefined) throw badRequest(unknown(field));
    return (object: JsonObject): boolean => (valueAt(object, at) === value) === isEqual;
  });
  if (tests.length === 0) return undefined;
  return {
    readsDefaults: resource.isCustom || requirements.some(({ field }) => !WITHOUT_DEFAULTS.has(field)),
    matches: (object) => tests.every((matches) => matches(object)),
    wanted: (field) => requirements.find((one) => one.isEqual && one.field === field)?.value,
  };
}

/** What selectors may name of a custom resource: what its definition lists. */
function selectableOf({ selectableFields = [] }: ApiResource): Selectable {
  return plain(selectableFields.map((path) => path.replace(/^\./, '')));
}

function valueAt(object: JsonObject, { path, otherPath, zero = '' }: Field): string {
  const found = read(object, path);
  if (found !== undefined && found !== '') return String(found);
  const other = otherPath === undefined ? undefined : read(object, otherPath);
  return other === undefined ? zero : String(other);
}

function read(object: JsonObject, path: readonly string[]): unknown {
  if (path.length === 0) return undefined;
  let found: unknown = object;
  for (const key of path) found = (found as Record<string, unknown> | null | undefined)?.[key];
  return found ?? undefined;
}

/** Cuts at commas that are not escaped. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let term = '';
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\') term += character + text.charAt(++i);
    else if (character === ',') {
      terms.push(term);
      term = '';
    } else term += character;
  }
  return [...terms, term];
}

function requirementOf(selector: string, term: string): Requirement {
  const match = /^(?<field>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)?.groups;
  if (match === undefined) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const { field = '', operator, value = '' } = match;
  return { field, isEqual: operator !== '!=', value: unescaped(value) };
}

function unescaped(value: string): string {
  return value.replace(/\\(.?)|([=,])/gs, (whole, escaped: string | undefined, bare: string | undefined) => {
    if (bare !== undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${bare.charCodeAt(0)}`);
    }
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${whole}`);
  });
}
