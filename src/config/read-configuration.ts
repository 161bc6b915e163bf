import { buildProfiles } from './build-profiles.ts';
import type { SchedulerConfiguration } from './configuration.ts';
import { DecodeFailure } from './decode/decoder.ts';
import type { ConfigurationError } from './decode/field-error.ts';
import { parseJson } from './decode/parse-json.ts';
import { type ParsedText, parseYaml } from './decode/parse-yaml.ts';
import { fromPlain } from './decode/value.ts';
import { decodeConfiguration } from './decode-configuration.ts';
import { type DefaultedConfiguration, defaultConfiguration } from './default-configuration.ts';
import { BuildFailure } from './expand-plugins.ts';
import type { KnownPlugins } from './known-plugins.ts';
import { validateConfiguration } from './validate-configuration.ts';

/** A configuration that was read, or why it was not. */
export type LoadedConfiguration =
  | { readonly ok: true; readonly configuration: SchedulerConfiguration }
  | {
      readonly ok: false;
      /**
       *   decode     the document cannot be read
       *   validate   a field has a value that is refused
       *   build      plugins or extenders cannot be set up
       */
      readonly stage: 'decode' | 'validate' | 'build';
      /** Whether the document could be read, but has unknown or repeated fields, with one error for each. */
      readonly strict: boolean;
      /** The errors; never empty. */
      readonly errors: readonly ConfigurationError[];
    };

/** `checkConfiguration` for these plugins. */
export function readConfiguration(source: string | object, known: KnownPlugins): LoadedConfiguration {
  const strict: ConfigurationError[] = [];
  let defaulted: DefaultedConfiguration;
  try {
    const { value, duplicates } =
      typeof source === 'string' ? parse(source) : { value: fromPlain(source), duplicates: [] };
    strict.push(...duplicates);
    defaulted = defaultConfiguration(decodeConfiguration(value, strict, known), known);
  } catch (error) {
    if (!(error instanceof DecodeFailure)) throw error;
    return { ok: false, stage: 'decode', strict: false, errors: [{ message: error.message }] };
  }
  if (strict.length > 0) return { ok: false, stage: 'decode', strict: true, errors: strict };

  const errors = validateConfiguration(defaulted, known);
  if (errors.length > 0) return { ok: false, stage: 'validate', strict: false, errors };

  try {
    return { ok: true, configuration: { ...defaulted.component, profiles: buildProfiles(defaulted, known) } };
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    return { ok: false, stage: 'build', strict: false, errors: [{ message: error.message }] };
  }
}

/** Parses the text. A text that begins like a JSON object is parsed as JSON. */
function parse(text: string): ParsedText {
  if (!text.trimStart().startsWith('{')) {
    const parsed = parseYaml(text);
    if ('error' in parsed) throw new DecodeFailure(parsed.error);
    return parsed;
  }
  try {
    return { value: parseJson(text), duplicates: [] };
  } catch (error) {
    // A text that is nested too deeply exhausts the stack.
    if (error instanceof RangeError) throw new DecodeFailure('json: exceeded max depth');
    if (!(error instanceof SyntaxError)) throw error;
    throw new DecodeFailure(`json: ${error.message}`);
  }
}
