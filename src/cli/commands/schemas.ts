import { CONFIGURATION_SCHEMA } from '../../config/configuration-schema.ts';
import { ANNOTATIONS_SCHEMA } from '../../simulation/formats/annotations-schema.ts';
import { FAULTS_SCHEMA } from '../../simulation/formats/faults-schema.ts';
import { RECORDING_SCHEMA } from '../../simulation/formats/recording-schema.ts';
import { WORKLOAD_SCHEMA } from '../../simulation/formats/workload-schema.ts';

/** The schemas of the formats that are documented in docs/formats, by name. */
export const SCHEMAS = {
  workload: WORKLOAD_SCHEMA,
  faults: FAULTS_SCHEMA,
  annotations: ANNOTATIONS_SCHEMA,
  configuration: CONFIGURATION_SCHEMA,
  recording: RECORDING_SCHEMA,
} satisfies Readonly<Record<string, object>>;

export type SchemaName = keyof typeof SCHEMAS;
