import { RESOURCES } from '../../store/objects/resources.ts';
import { FAULT_KINDS, OPERATIONS, TARGET_FIELDS } from '../faults/fault-kinds.ts';
import { closed, DIALECT, DISTRIBUTION, DURATION, oneOrMany, type Schema, SETTINGS_VERSION } from './schema-parts.ts';

/** The fields that some faults have. */
const FIELDS: Readonly<Record<string, Schema>> = {
  node: { type: 'string', description: 'The name of a node. Absent: any healthy node.' },
  nodes: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Labels: all healthy nodes that have them.',
  },
  selector: {
    type: 'string',
    minLength: 1,
    description: 'A label selector, such as pool in (web, batch): all healthy nodes that it selects.',
  },
  share: { type: 'number', exclusiveMinimum: 0, maximum: 1, description: 'The share of requests or changes.' },
  delay: { ...DURATION, description: 'How long it takes.' },
  by: { ...DURATION, description: 'How far the clock jumps.' },
  resource: { enum: Object.keys(RESOURCES), description: 'Of these objects. Absent: of all.' },
  operation: { enum: Object.keys(OPERATIONS), description: 'What fails.' },
};

const TIMES: Readonly<Record<string, Schema>> = {
  at: { ...oneOrMany(DURATION), description: 'The times at which it begins.' },
  every: { ...DISTRIBUTION, description: 'The time from one to the next.' },
  from: { ...DURATION, description: 'With every: when the first is due. Absent: at once.' },
  until: { ...DURATION, description: 'With every: when they end. Absent: never.' },
  count: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'With every: how many. Absent: no limit.' },
};

/** Any two of the fields that say which nodes are struck. */
const PAIRS = TARGET_FIELDS.flatMap((one, i) =>
  TARGET_FIELDS.slice(i + 1).map((other) => ({ required: [one, other] })),
);

/** The entries of one kind of fault, by the table that the reader uses. */
function entryOf(fault: string): Schema {
  const { fields = {}, lasts = false } = FAULT_KINDS[fault] ?? {};
  const names = Object.keys(fields);
  const own = Object.fromEntries(names.map((name) => [name, FIELDS[name] ?? {}]));
  const properties = {
    fault: { const: fault },
    ...TIMES,
    ...(lasts && { for: { ...DISTRIBUTION, description: 'How long it lasts. Absent: for ever.' } }),
    ...own,
  };
  const required = names.filter((name) => isRequired(fault, name));
  return {
    ...closed(properties, ['fault', ...required]),
    oneOf: [{ required: ['at'] }, { required: ['every'] }],
    ...(names.includes('nodes') && { not: { anyOf: PAIRS } }),
    dependentRequired: { from: ['every'], until: ['every'], count: ['every'] },
  };
}

/** Whether the reader complains when the field is missing. */
function isRequired(fault: string, name: string): boolean {
  const problems: unknown[] = [];
  FAULT_KINDS[fault]?.fields[name]?.(undefined, name, problems as never);
  return problems.length > 0;
}

/** The schema of files of faults. */
export const FAULTS_SCHEMA: Schema = {
  $schema: DIALECT,
  title: 'Faults',
  description: 'What goes wrong, and when (berth simulate --faults).',
  ...closed(
    {
      apiVersion: SETTINGS_VERSION,
      kind: { const: 'Faults' },
      faults: { type: 'array', minItems: 1, items: { oneOf: Object.keys(FAULT_KINDS).map(entryOf) } },
    },
    ['apiVersion', 'kind', 'faults'],
  ),
};
