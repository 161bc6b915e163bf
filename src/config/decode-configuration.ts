import { clientConnection, leaderElection } from './component-config.ts';
import type { PluginConfig } from './configuration.ts';
import { boolean, DecodeFailure, int32, int64, list, raw, string, struct } from './decode/decoder.ts';
import type { ConfigurationError } from './decode/field-error.ts';
import {
  API_VERSION,
  GROUP,
  INTERNAL_API_VERSION,
  type TypeMeta,
  typeMetaOf,
  unknownKind,
} from './decode/group-version.ts';
import { NULL, type Value } from './decode/value.ts';
import { extenders } from './extenders.ts';
import type { KnownPlugins } from './known-plugins.ts';
import { pluginSets } from './plugin-sets.ts';

const KIND = 'KubeSchedulerConfiguration';
const TYPE_META = { apiVersion: string, kind: string };

const profile = struct({
  schedulerName: string,
  percentageOfNodesToScore: int32,
  plugins: pluginSets,
  pluginConfig: list(struct({ name: string, args: raw }), {}),
});

const configuration = struct({
  ...TYPE_META,
  parallelism: int32,
  leaderElection,
  clientConnection,
  enableProfiling: boolean,
  enableContentionProfiling: boolean,
  percentageOfNodesToScore: int32,
  podInitialBackoffSeconds: int64,
  podMaxBackoffSeconds: int64,
  profiles: list(profile, {}),
  extenders,
  delayCacheUntilActive: boolean,
});

export type GivenConfiguration = NonNullable<ReturnType<typeof configuration>>;
export type GivenProfile = NonNullable<ReturnType<typeof profile>>;

/** A document as it was read, without defaults. */
export interface DecodedConfiguration {
  readonly given: GivenConfiguration;
  /** The `pluginConfig` of each profile, with the arguments read and defaulted. */
  readonly pluginConfigs: readonly (readonly PluginConfig[])[];
  /** Whether the document is in upstream's internal version, for which there are no defaults. */
  readonly isInternal: boolean;
}

/** Reads a document. Unknown and repeated fields are added to `strict`. Throws DecodeFailure. */
export function decodeConfiguration(
  document: Value,
  strict: ConfigurationError[],
  known: KnownPlugins,
): DecodedConfiguration {
  const meta = typeMetaOf(document, 'configuration');
  if (meta.kind === '') throw new DecodeFailure("configuration: 'kind' is missing");
  if (meta.apiVersion === '') throw new DecodeFailure("configuration: 'apiVersion' is missing");
  if (!isRegistered(meta, known)) throw unknownKind(meta, 'configuration');
  if (meta.kind !== KIND) throw new DecodeFailure(`configuration: not a ${KIND} but ${meta.kind}`);
  if (meta.apiVersion === INTERNAL_API_VERSION) {
    // The internal version has other field names, so every field counts as unknown.
    struct(TYPE_META)(document, { path: '', strict });
    return { given: {}, pluginConfigs: [], isInternal: true };
  }
  const given = configuration(document, { path: '', strict }) ?? {};
  const pluginConfigs = (given.profiles ?? []).map(({ pluginConfig = [] }, i) =>
    pluginConfig.map(({ name = '', args }, j) => {
      return decodeArgs(known, name, args ?? NULL, { path: `profiles[${i}].pluginConfig[${j}]`, strict });
    }),
  );
  return { given, pluginConfigs, isInternal: false };
}

function isRegistered({ apiVersion, kind }: TypeMeta, known: KnownPlugins): boolean {
  const isKnownVersion = apiVersion === API_VERSION || apiVersion === INTERNAL_API_VERSION;
  return isKnownVersion && (kind === KIND || known.isArgsKind(kind));
}

/** Decodes the arguments of a plugin, which may omit their kind. */
function decodeArgs(
  known: KnownPlugins,
  name: string,
  args: Value,
  { path, strict }: { readonly path: string; readonly strict: ConfigurationError[] },
): PluginConfig {
  const kind = known.argsKind(name);
  if (kind === undefined) return { name, args: undefined, raw: args.kind === 'null' ? undefined : args };
  const where = `${path}.args`;
  const given = typeMetaOf(args, where);
  const meta = { apiVersion: versionOf(given.apiVersion), kind: given.kind || `${name}Args` };
  if (!isRegistered(meta, known)) throw unknownKind(meta, where);
  if (meta.kind !== `${name}Args`) throw new DecodeFailure(`${where}: ${name} takes ${name}Args, not ${meta.kind}`);
  const unknown: ConfigurationError[] = [];
  let read = kind.zero;
  if (meta.apiVersion === INTERNAL_API_VERSION) {
    struct(TYPE_META)(args, { path: '', strict: unknown });
  } else {
    read = kind.read(withoutTypeMeta(args), { path: '', strict: unknown });
  }
  for (const { field = '', message } of unknown) {
    const nested = 'strict decoding error';
    strict.push({
      field,
      message: `decoding .${path}: ${nested}: decoding args for plugin ${name}: ${nested}: ${message}`,
    });
  }
  return { name, args: read, raw: undefined };
}

/** The version that the document stands for: an empty one, or our group without a version, stands for v1. */
function versionOf(apiVersion: string): string {
  return apiVersion === '' || apiVersion === `${GROUP}/` ? API_VERSION : apiVersion;
}

function withoutTypeMeta(args: Value): Value {
  if (args.kind !== 'object') return args;
  return { kind: 'object', members: args.members.filter(({ key }) => !Object.hasOwn(TYPE_META, key)) };
}
