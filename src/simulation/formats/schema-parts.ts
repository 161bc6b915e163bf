/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
export const SETTINGS_VERSION = { const: 'berth.dev/v1alpha1' } as const;

const GO_DURATION = String.raw`\+?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)`;

/** A length of time as Go writes it. */
export const DURATION: Schema = {
  type: 'string',
  description: 'A length of time as Go writes it: 90s, 1h30m, 250ms.',
  pattern: `^${GO_DURATION}$`,
};

/** A length of time, fixed or drawn. */
export const DISTRIBUTION: Schema = {
  type: 'string',
  description:
    'A length of time: 30s, uniform(10s, 20s), exponential(MEAN), lognormal(MEDIAN, SIGMA), pareto(LEAST, ALPHA), ' +
    'forever.',
  pattern: String.raw`^\s*(?:forever|${GO_DURATION}|(?:fixed|uniform|exponential|lognormal|pareto)\(.*\))\s*$`,
};

/** One value, or a list of them. */
export function oneOrMany(item: Schema): Schema {
  return { anyOf: [item, { type: 'array', items: item }] };
}

/** An object with these members and no others. */
export function closed(properties: Readonly<Record<string, Schema | object>>, required: readonly string[]): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}
