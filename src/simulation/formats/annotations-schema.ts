import { DIALECT, DISTRIBUTION, type Schema } from './schema-parts.ts';

const EXIT_CODE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|0?\\d?\\d)';

const SETTINGS: Readonly<Record<string, Schema>> = {
  'pull-duration': { ...DISTRIBUTION, description: 'How long the image takes to a node that lacks it. Absent: 0s.' },
  'start-latency': { ...DISTRIBUTION, description: 'From the order to start until it runs. Absent: 0s.' },
  'run-duration': {
    ...DISTRIBUTION,
    description: 'Until it ends by itself. Absent: forever with restartPolicy Always, else 10s; init containers: 1s.',
  },
  'exit-codes': {
    type: 'string',
    pattern: `^${EXIT_CODE}(?:\\s*,\\s*${EXIT_CODE})*$`,
    description: 'The exit codes of the first, second and every further start. Absent: 0.',
  },
  'startup-delay': { ...DISTRIBUTION, description: 'Until the startup probe passes. Absent: 0s.' },
  'ready-delay': { ...DISTRIBUTION, description: 'Until the readiness probe passes. Absent: 0s.' },
  'stop-duration': { ...DISTRIBUTION, description: 'Until it ends when it is stopped. Absent: 0s.' },
  'memory-use': {
    type: 'string',
    description: 'What it uses at its end, a quantity. Above its limit it is killed on the way there. Absent: 0.',
    pattern: String.raw`^\+?\d+(?:\.\d*)?(?:[eE][-+]?\d+|m|k|Ki|Mi|M|Gi|G|Ti|T|Pi|P|Ei|E)?$`,
  },
};

/** The schema of a pod's annotations: those of Berth, beside any others. */
export const ANNOTATIONS_SCHEMA: Schema = {
  $schema: DIALECT,
  title: 'Annotations of pods',
  description: 'What the containers of a pod do in a simulation. With .NAME behind it, of the container NAME alone.',
  type: 'object',
  properties: Object.fromEntries(Object.entries(SETTINGS).map(([name, schema]) => [`berth.dev/${name}`, schema])),
  patternProperties: {
    ...Object.fromEntries(
      Object.entries(SETTINGS).map(([name, schema]) => [`^berth\\.dev/${name}\\.[a-z0-9-]+$`, schema]),
    ),
    [`^berth\\.dev/(?!(?:${Object.keys(SETTINGS).join('|')})(?:\\.[a-z0-9-]+)?$)`]: false,
  },
  additionalProperties: { type: 'string' },
};
