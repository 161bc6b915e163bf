import {
  boolean,
  type Decoded,
  DecodeFailure,
  type Decoder,
  duration,
  int64,
  mapped,
  or,
  orIfZero,
  string,
  stringMap,
} from '../../config/decode/decoder.ts';
import { describe } from '../../config/decode/value.ts';
import { checked, fields, mapOf, needed, oneOf, strings } from './fields.ts';

const NANOS_PER_MILLI = 1e6;
/** The interval of a churn that sets none, as upstream. */
const CHURN_INTERVAL_MILLIS = 500;

/** The value of a workload's parameter. */
export type ParamValue = number | string | boolean;

/** Decodes a value of `params` or `templateParams`. */
export const paramValue: Decoder<ParamValue> = (value, { path }) => {
  if (value.kind === 'null') return undefined;
  if (value.kind === 'number') return Number(value.text);
  if (value.kind === 'string' || value.kind === 'boolean') return value.value;
  throw new DecodeFailure(`${path}: expected a number, a string or true or false, got ${describe(value)}`);
};

const count = checked(int64, 'a number >= 0', (number) => number >= 0);
/** A reference to a parameter of the workload, such as `$name`. */
const paramName = checked(string, 'the name of a parameter, such as $initPods', (name) => /^\$./.test(name));
const millis = mapped(duration({ nullable: true }), (nanos) => Number(nanos) / NANOS_PER_MILLI);

/** A number of objects; the parameter takes precedence. */
const counted = { count, countParam: paramName };
/** Values that a template may read besides `.Index` and `.Count`; texts that begin with `$` refer to parameters. */
const templated = { templateParams: mapOf(paramValue) };

const labelSelector = or(stringMap, {});
const templatePath = needed(string);

/** The fields of the operation with this opcode. */
function fieldsOf<O extends string, F extends Readonly<Record<string, Decoder<unknown>>>>(opcode: O, own: F) {
  return fields({
    opcode: or(
      mapped(string, () => opcode),
      opcode,
    ),
    ...own,
  });
}

const createPods = mapped(
  fieldsOf('createPods', {
    ...counted,
    ...templated,
    countMultiplierParam: paramName,
    /** Whether each pod is deleted when it is scheduled, and replaced by a new one, for the whole duration. */
    steadyState: boolean,
    steadyStateParam: paramName,
    duration: millis,
    durationParam: paramName,
    collectMetrics: boolean,
    /** The namespace; absent: `namespace-<index of the operation>`. */
    namespace: string,
    podTemplatePath: string,
    skipWaitToCompletion: boolean,
    persistentVolumeTemplatePath: string,
    persistentVolumeClaimTemplatePath: string,
    /** This many consecutive pods share the value of the label `signature`; absent: pods have no such label. */
    signatureBatchSize: count,
    signatureBatchSizeParam: paramName,
  }),
  ({ duration: durationMillis, ...op }, { path }) => {
    for (const flag of ['collectMetrics', 'steadyState'] as const) {
      if (!op[flag] || !op.skipWaitToCompletion) continue;
      throw new DecodeFailure(`${path}: ${flag} and skipWaitToCompletion exclude each other`);
    }
    return { ...op, ...(durationMillis !== undefined && { durationMillis }) };
  },
);

const DECODERS = {
  createPods,
  createNodes: fieldsOf('createNodes', {
    ...counted,
    ...templated,
    nodeTemplatePath: string,
    /** At most one of the three strategies is used: the first that is set. */
    nodeAllocatableStrategy: fields({
      nodeAllocatable: stringMap,
      /** How many volumes each CSI driver can attach to a node. */
      csiNodeAllocatable: mapOf(fields({ count: int64 })),
      /** In-tree volume plugins that have been migrated to CSI drivers. */
      migratedPlugins: strings,
    }),
    labelNodePrepareStrategy: fields({
      labelKey: or(string, ''),
      /** The values, which nodes get in turn. */
      labelValues: needed(strings, 'must not be empty'),
    }),
    uniqueNodeLabelStrategy: fields({ labelKey: or(string, '') }),
  }),
  createNamespaces: fieldsOf('createNamespaces', {
    ...counted,
    /** The prefix of the names `<prefix>-<number>`, numbered from 0. */
    prefix: needed(string),
    namespaceTemplatePath: string,
  }),
  createPodSets: fieldsOf('createPodSets', {
    ...counted,
    /** The prefix of the namespaces `<namespacePrefix>-<number>`, numbered from 0, one for each set. */
    namespacePrefix: needed(string),
    createPodsOp: needed(createPods),
  }),
  deletePods: fieldsOf('deletePods', {
    namespace: needed(string),
    labelSelector,
    skipWaitToCompletion: or(boolean, false),
    /** The rate; 0: all at once. */
    deletePodsPerSecond: or(count, 0),
  }),
  churn: mapped(
    fieldsOf('churn', {
      /**
       * With `recreate`, `number` rounds create an object of each template, and the next `number` rounds delete these
       * objects.
       */
      mode: oneOf(['create', 'recreate']),
      /** With `create`, the number of rounds; 0: without end. */
      number: or(count, 0),
      intervalMilliseconds: orIfZero(count, CHURN_INTERVAL_MILLIS),
      namespace: string,
      templatePaths: needed(strings, 'must not be empty'),
    }),
    ({ intervalMilliseconds: intervalMillis, ...op }, { path }) => {
      if (op.mode !== 'recreate' || op.number > 0) return { ...op, intervalMillis };
      throw new DecodeFailure(`${path}.number: must be > 0 to recreate`);
    },
  ),
  barrier: fieldsOf('barrier', {
    /** The namespaces; empty: all that have pods that no operation has waited for. */
    namespaces: or(strings, []),
    labelSelector,
    stageRequirement: oneOf(['Scheduled', 'Attempted'], 'Scheduled'),
  }),
  sleep: mapped(
    fieldsOf('sleep', { duration: or(millis, 0), durationParam: paramName }),
    ({ duration: durationMillis, ...op }) => ({ ...op, durationMillis }),
  ),
  startCollectingMetrics: fieldsOf('startCollectingMetrics', {
    /** A name that is appended to the workload's name in results. */
    name: or(string, ''),
    namespaces: needed(strings, 'must not be empty'),
    labelSelector,
  }),
  stopCollectingMetrics: fieldsOf('stopCollectingMetrics', {}),
  createAny: fieldsOf('createAny', { ...counted, ...templated, namespace: string, templatePath }),
  createPodGroups: fieldsOf('createPodGroups', {
    ...counted,
    ...templated,
    namespace: needed(string),
    templatePath,
  }),
  waitForPodGroups: fieldsOf('waitForPodGroups', { ...counted, namespace: needed(string) }),
  updateAny: fieldsOf('updateAny', {
    ...counted,
    ...templated,
    namespace: string,
    templatePath,
    /** The rate; 0: all at once. */
    updatePerSecond: or(count, 0),
    subresources: or(strings, []),
  }),
  createResourceDriver: fieldsOf('createResourceDriver', {
    driverName: needed(string),
    /** A pattern of node names. */
    nodes: needed(string),
    maxClaimsPerNode: count,
    maxClaimsPerNodeParam: paramName,
  }),
  allocResourceClaims: fieldsOf('allocResourceClaims', { namespace: needed(string) }),
};

type Opcode = keyof typeof DECODERS;

/** An operation of one kind, as it is written: parameters are still names. */
export type OperationOf<O extends Opcode> = Decoded<(typeof DECODERS)[O]>;

/** An operation that Berth does not support. */
export interface UnknownOperation {
  readonly opcode: 'unknown';
  /** The opcode in the file. */
  readonly name: string;
}

/** One step of a workload template. Steps are executed one after the other. */
export type Operation = { [O in Opcode]: OperationOf<O> }[Opcode] | UnknownOperation;

/** Decodes one entry of `workloadTemplate`. If the opcode is unknown, only its name is read. @throws DecodeFailure */
export const operation: Decoder<Operation> = (value, at) => {
  if (value.kind !== 'object') throw new DecodeFailure(`${at.path}: expected an object, got ${describe(value)}`);
  const member = value.members.find(({ key }) => key.toLowerCase() === 'opcode');
  const opcode = member && string(member.value, { ...at, path: `${at.path}.${member.key}` });
  if (!opcode) throw new DecodeFailure(`${at.path}.opcode: is required`);
  const decode: Decoder<Operation> | undefined = Object.hasOwn(DECODERS, opcode)
    ? DECODERS[opcode as Opcode]
    : undefined;
  return decode === undefined ? { opcode: 'unknown', name: opcode } : decode(value, at);
};
