import { SUBMITTED_KINDS } from '../workload/submitted-object.ts';
import { closed, DIALECT, DISTRIBUTION, DURATION, oneOrMany, type Schema, SETTINGS_VERSION } from './schema-parts.ts';

const RATE: Schema = {
  type: 'string',
  description: 'How many in a second, minute or hour: 10/s, 6/m, 0.5/h.',
  pattern: String.raw`^\d{1,9}(?:\.\d{1,6})?/[smh]$`,
};

const ARRIVALS: Schema = {
  ...closed(
    {
      name: { type: 'string', description: 'The name of the source in figures.' },
      at: { ...oneOrMany(DURATION), description: 'The times of arrival since the simulation began.' },
      rate: { ...RATE, description: 'Arrivals at even intervals.' },
      poisson: { ...RATE, description: 'Arrivals at random intervals, with this average.' },
      trace: { type: 'string', description: 'A file beside this one, with one time in seconds a line.' },
      from: { ...DURATION, description: 'With rate and poisson: when arrivals begin. Absent: at once.' },
      until: { ...DURATION, description: 'With rate and poisson: when they end. Absent: never.' },
      count: {
        type: 'integer',
        minimum: 1,
        maximum: 100_000_000,
        description: 'With rate and poisson: how many arrive. With at and trace: how many at each time.',
      },
      duration: { ...DISTRIBUTION, description: 'How long containers run. Absent: as the object says.' },
      lifetime: { ...DISTRIBUTION, description: 'When an object is deleted again. Absent: never.' },
      object: {
        type: 'object',
        description: 'The Kubernetes object that arrives.',
        properties: { kind: { enum: Object.keys(SUBMITTED_KINDS) } },
        required: ['kind'],
      },
    },
    ['object'],
  ),
  oneOf: ['at', 'rate', 'poisson', 'trace'].map((name) => ({ required: [name] })),
};

const NAMED: Schema = {
  type: 'object',
  properties: {
    kind: { enum: Object.keys(SUBMITTED_KINDS) },
    metadata: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  required: ['kind', 'metadata'],
};

const CHANGES: Schema = {
  ...closed(
    {
      at: { ...oneOrMany(DURATION), description: 'When: the time since the simulation began.' },
      apply: {
        anyOf: [{ type: 'string', minLength: 1 }, NAMED],
        description: 'A manifest, or a file of manifests beside this one: created or changed as by kubectl apply.',
      },
      patch: { ...NAMED, description: 'Kind and name of an object, and members that are laid over it.' },
      delete: { ...NAMED, description: 'Kind and name of an object that is deleted.' },
    },
    ['at'],
  ),
  oneOf: ['apply', 'patch', 'delete'].map((name) => ({ required: [name] })),
};

/** The schema of workload files. */
export const WORKLOAD_SCHEMA: Schema = {
  $schema: DIALECT,
  title: 'Workload',
  description: 'Objects that arrive and change over time (berth simulate --workload).',
  ...closed(
    {
      apiVersion: SETTINGS_VERSION,
      kind: { const: 'Workload' },
      arrivals: { type: 'array', minItems: 1, items: ARRIVALS },
      changes: { type: 'array', minItems: 1, items: CHANGES },
    },
    ['apiVersion', 'kind'],
  ),
  anyOf: [{ required: ['arrivals'] }, { required: ['changes'] }],
};
