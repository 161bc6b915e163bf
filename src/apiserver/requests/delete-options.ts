import { invalidValue, unsupportedValue } from '../../kinds/object/field-errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';
import { BodySyntaxError } from '../../kinds/object/kind-schema.ts';
import { badRequest, refuseInvalid } from '../../kinds/object/refusals.ts';
import type { FieldError, StatusError } from '../../kinds/object/status-error.ts';
import type { ResourceRequest } from '../context/context.ts';
import { contentTypeOf, unsupportedMediaType } from '../context/media-types.ts';
import { booleanIn, dryRunErrors, integerIn } from './query.ts';

export interface DeleteOptions {
  /** Changed by strategies: a pod has a grace period of its own. */
  gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly preconditions: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
  readonly isDryRun: boolean;
}

const META_SCHEME = '"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"';
const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil'];

/** The options of a DELETE: those of its body if there is one, else those of the query. @throws StatusError */
export function deleteOptions({ modules, request }: ResourceRequest): DeleteOptions {
  if (request.body === '') return checkedOptions(fromQuery(request.query));
  const type = contentTypeOf(request.contentType);
  if (type !== '' && type !== 'application/json' && type !== 'application/yaml') throw unsupportedMediaType();
  let value: unknown;
  try {
    value = modules.readBody(request.body, type === 'application/yaml' ? type : 'application/json').value;
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
  }
  return checkedOptions(fromBody(isJsonObject(value) ? value : {}));
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const uid = query.get('preconditions.uid') ?? undefined;
  return {
    gracePeriodSeconds: integerIn(query, 'gracePeriodSeconds'),
    orphanDependents: booleanIn(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    preconditions: uid === undefined ? {} : { uid },
    isDryRun: isDryRunOf(query.getAll('dryRun')),
  };
}

function fromBody(body: JsonObject): DeleteOptions {
  const kind = (typed(body, 'kind', 'string', 'string') ?? '') as string;
  const apiVersion = (typed(body, 'apiVersion', 'string', 'string') ?? '') as string;
  if (kind !== '' && kind !== 'DeleteOptions') {
    const version = JSON.stringify(apiVersion || 'v1');
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${version} in scheme ${META_SCHEME}`);
  }
  return optionsOf(body);
}

/** The options that stand in an object, which may be part of another one. @throws StatusError */
export function optionsOf(body: JsonObject): DeleteOptions {
  const preconditions = body['preconditions'] ?? {};
  if (!isJsonObject(preconditions)) throw wrongType(preconditions, 'preconditions', 'v1.Preconditions');
  const dryRun = body['dryRun'] ?? [];
  if (!Array.isArray(dryRun)) throw wrongType(dryRun, 'dryRun', '[]string');
  const wrong = dryRun.find((one) => typeof one !== 'string' && one !== null);
  if (wrong !== undefined) throw wrongType(wrong, 'dryRun', 'string');
  return {
    gracePeriodSeconds: secondsIn(body, 'gracePeriodSeconds'),
    orphanDependents: typed(body, 'orphanDependents', 'boolean', 'bool') as boolean | undefined,
    propagationPolicy: typed(body, 'propagationPolicy', 'string', 'v1.DeletionPropagation') as string | undefined,
    preconditions: {
      uid: typed(preconditions, 'uid', 'string', 'types.UID', 'preconditions.') as string | undefined,
      resourceVersion: typed(preconditions, 'resourceVersion', 'string', 'string', 'preconditions.') as
        | string
        | undefined,
    },
    isDryRun: isDryRunOf(dryRun.map((one) => (one ?? '') as string)),
  };
}

/** @throws StatusError BadRequest */
function typed(body: JsonObject, name: string, type: string, goType: string, path = ''): unknown {
  const value = body[name] ?? undefined;
  if (value === undefined || typeof value === type) return value;
  throw wrongType(value, path + name, goType);
}

/** @throws StatusError BadRequest */
function secondsIn(body: JsonObject, name: string): number | undefined {
  const value = typed(body, name, 'number', 'int64') as number | undefined;
  if (value !== undefined && (!Number.isInteger(value) || Math.abs(value) > 2 ** 63)) {
    throw wrongType(value, name, 'int64');
  }
  return value;
}

function wrongType(value: JsonValue, path: string, goType: string): StatusError {
  const shown = typeof value === 'boolean' ? 'bool' : typeof value;
  const given = Array.isArray(value) ? 'array' : goType === 'int64' && shown === 'number' ? `number ${value}` : shown;
  const struct = path.startsWith('preconditions.') ? 'Preconditions' : 'DeleteOptions';
  return badRequest(`json: cannot unmarshal ${given} into Go struct field ${struct}.${path} of type ${goType}`);
}

const DELETE_OPTIONS = { group: 'meta.k8s.io', kind: 'DeleteOptions' };

function isDryRunOf(dryRun: readonly string[]): boolean {
  refuseInvalid(DELETE_OPTIONS, '', dryRunErrors(dryRun));
  return dryRun.length > 0;
}

/** @throws StatusError Invalid */
export function checkedOptions(options: DeleteOptions): DeleteOptions {
  const { orphanDependents, propagationPolicy: policy } = options;
  const errors: FieldError[] = [];
  if (policy !== undefined && orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidValue('propagationPolicy', policy, why));
  } else if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy)) {
    errors.push(unsupportedValue('propagationPolicy', policy, POLICIES));
  }
  refuseInvalid(DELETE_OPTIONS, '', errors);
  return options;
}
