import { clientConnection, leaderElection } from './component-config.ts';
import {
  boolean,
  booleanMap,
  type Decoded,
  DecodeFailure,
  empty,
  int32,
  int64,
  list,
  or,
  raw,
  string,
  struct,
} from './decode/decoder.ts';
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

const pluginArgs = struct({ name: or(string, ''), args: or(raw, NULL) });
const profile = struct({
  schedulerName: string,
  percentageOfNodesToScore: int32,
  plugins: or(pluginSets, empty(pluginSets)),
  pluginConfig: or(list(pluginArgs, empty(pluginArgs)), []),
});

/** A configuration with the defaults of apis/config/v1/defaults.go, but for those of profiles. */
const configuration = struct({
  ...TYPE_META,
  /** The number of threads upstream. */
  parallelism: or(int32, 16),
  leaderElection: or(leaderElection, empty(leaderElection)),
  clientConnection: or(clientConnection, empty(clientConnection)),
  enableProfiling: or(boolean, true),
  enableContentionProfiling: boolean,
  /** 1 to 100, or 0 to adapt to the size of the cluster. A profile's own value takes precedence. */
  percentageOfNodesToScore: or(int32, 0),
  podInitialBackoffSeconds: or(int64, 1),
  podMaxBackoffSeconds: or(int64, 10),
  profiles: or(list(profile, empty(profile)), []),
  extenders: or(extenders, []),
  delayCacheUntilActive: or(boolean, false),
  /** The flag --feature-gates of kube-scheduler. */
  featureGates: or(booleanMap, {}),
});

export type GivenConfiguration = Decoded<typeof configuration>;
export type GivenProfile = Decoded<typeof profile>;
export const EMPTY_PROFILE = empty(profile);

/** One entry of `pluginConfig`. */
export interface PluginConfig {
  readonly name: string;
  /** With defaults filled in; undefined where nobody here reads the plugin's arguments. */
  readonly args: object | undefined;
  /** Whatever was written for a plugin whose arguments nobody here reads. */
  readonly raw: Value | undefined;
}

/** A document as it was read. */
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
    return { given: empty(configuration), pluginConfigs: [], isInternal: true };
  }
  const given = configuration(document, { path: '', strict }) ?? empty(configuration);
  const pluginConfigs = given.profiles.map(({ pluginConfig }, i) =>
    pluginConfig.map(({ name, args }, j) => {
      return decodeArgs(known, name, args, { path: `profiles[${i}].pluginConfig[${j}]`, strict });
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
    read = kind.decode(withoutTypeMeta(args), { path: '', strict: unknown }) ?? empty(kind.decode);
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
