import { closed, DIALECT, type Schema } from './schema-parts.ts';

const TEXTS: Schema = { type: 'array', items: { type: 'string' } };

const SCHEDULERS: Schema = {
  ...closed(
    {
      count: { type: 'integer', minimum: 1 },
      shard: { enum: ['nodes', 'pods'] },
      decisionTime: { type: 'string' },
      decisionTimePerNode: { type: 'string' },
      commitTime: { type: 'string' },
    },
    ['count', 'shard', 'decisionTime', 'decisionTimePerNode', 'commitTime'],
  ),
  description: 'Several schedulers, and how long their work takes.',
};

/** The command line, as plain data. */
const REQUEST: Schema = {
  type: 'object',
  properties: {
    manifests: TEXTS,
    expand: { const: false, description: 'No controller makes pods for workloads.' },
    nodes: { type: 'integer', minimum: 1 },
    shapes: TEXTS,
    workload: { type: 'string' },
    openb: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
    alibaba: { type: 'string' },
    faults: { type: 'string' },
    lose: TEXTS,
    config: { type: 'string' },
    tieBreak: { enum: ['first', 'random', 'upstream'] },
    percentageOfNodesToScore: { type: 'integer', minimum: 0, maximum: 100 },
    schedulers: SCHEDULERS,
    featureGates: { type: 'object', additionalProperties: { type: 'boolean' } },
    seed: { type: 'integer', minimum: 0 },
    until: { type: 'string' },
  },
  required: ['manifests', 'seed'],
};

/** The schema of each line of a recording. */
export const RECORDING_SCHEMA: Schema = {
  $schema: DIALECT,
  title: 'Recording',
  description:
    'A line of what berth simulate --record writes: gzip-compressed, one JSON value a line. The first is the header, ' +
    'then comes the event log, and the last is the footer, which is missing when the run was cut off.',
  oneOf: [
    {
      title: 'Header',
      ...closed(
        {
          format: { const: 'berth-simulation' },
          version: { const: 1 },
          berth: { type: 'string', description: 'The version of Berth.' },
          request: REQUEST,
          files: {
            type: 'object',
            additionalProperties: { type: 'string', contentEncoding: 'base64' },
            description: 'The contents of all files that were read.',
          },
        },
        ['format', 'version', 'berth', 'request', 'files'],
      ),
    },
    { title: 'Line of the event log', type: 'string' },
    {
      title: 'Footer',
      ...closed(
        {
          end: { type: 'string', description: 'Why the simulation ended.' },
          lines: { type: 'integer', minimum: 0 },
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
        ['end', 'lines', 'sha256'],
      ),
    },
  ],
};
