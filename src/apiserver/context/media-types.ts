import { StatusError } from '../../kinds/object/status-error.ts';

/** What the client wants an object to be turned into before it is sent. */
export interface Conversion {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The version of meta.k8s.io, `v1` or `v1beta1`. */
  readonly version: string;
}

export interface AcceptedType {
  readonly mediaType: 'application/json' | 'application/yaml';
  readonly conversion: Conversion | undefined;
  readonly isPretty: boolean;
  /** The parameters of the type that was chosen, by which discovery tells its forms apart. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: Readonly<Record<string, string>>;
}

const SERVED = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const STREAMED = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/** Which conversions a path offers: a conversion that it has not is refused. */
export type Offers = (parameters: Readonly<Record<string, string>>) => boolean;

/**
 * Chooses the form of the answer by the Accept header: of the clauses with the highest quality the first that can be
 * served. `streams` says whether the path can be watched, which only changes the text of the refusal.
 *
 * @throws StatusError NotAcceptable
 */
export function accepted(accept: string | undefined, offers: Offers, streams: boolean): AcceptedType {
  const clauses = parseAccept(accept ?? '');
  if (clauses.length === 0) return acceptedClause({ type: '*', subtype: '*', quality: 1, parameters: {} });
  let isKnown = false;
  for (const clause of clauses) {
    const isAny = clause.type === '*' && clause.subtype === '*';
    const name = `${clause.type}/${clause.subtype}`;
    if (!isAny && !SERVED.includes(name)) continue;
    // Protobuf is known, but not served: clients that also accept JSON fall back to it.
    if (name === 'application/vnd.kubernetes.protobuf') continue;
    isKnown = true;
    if (clause.parameters['as'] === undefined || offers(clause.parameters)) return acceptedClause(clause);
  }
  throw isKnown ? refusedConversion() : notAcceptable(streams);
}

function acceptedClause({ type, subtype, parameters }: Clause): AcceptedType {
  const mediaType = subtype === 'yaml' && type === 'application' ? 'application/yaml' : 'application/json';
  const { as, v = '' } = parameters;
  const conversion = as === undefined ? undefined : ({ kind: as, version: v } as Conversion);
  return { mediaType, conversion, isPretty: parameters['pretty'] === '1', parameters };
}

function notAcceptable(streams: boolean): StatusError {
  const all = streams ? [...SERVED, ...STREAMED] : SERVED;
  const message = `406: Not Acceptable\n\nAvailable representations: ${all.join(', ')}`;
  return new StatusError(406, 'NotAcceptable', message, {});
}

function refusedConversion(): StatusError {
  return onlyAccepted(SERVED);
}

/** A watch is no stream of YAML. */
export function refusedStream(): StatusError {
  return onlyAccepted(STREAMED);
}

function onlyAccepted(types: readonly string[]): StatusError {
  return new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);
}

export function unsupportedMediaType(): StatusError {
  const types = SERVED.join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/** Clients send few headers, and these again and again. */
const known = new Map<string, readonly Clause[]>();
const KNOWN_MAX = 64;

/** The clauses of an Accept header, the best quality first; equal ones in their own order. */
function parseAccept(accept: string): readonly Clause[] {
  let clauses = known.get(accept);
  if (clauses !== undefined) return clauses;
  clauses = clausesOf(accept);
  if (known.size === KNOWN_MAX) known.clear();
  known.set(accept, clauses);
  return clauses;
}

function clausesOf(accept: string): Clause[] {
  const clauses = accept
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseClause);
  return clauses.sort((a, b) => b.quality - a.quality);
}

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const [major = '', minor = ''] = type.toLowerCase().split('/');
  const pairs = rest.map((part) => {
    const [key = '', value = ''] = part.split('=', 2);
    return [key.trim(), value.trim()] as const;
  });
  const { q, ...parameters } = Object.fromEntries(pairs) as Record<string, string>;
  const quality = q === undefined ? 1 : Number(q);
  return { type: major, subtype: minor, quality: Number.isNaN(quality) ? 0 : quality, parameters };
}

/** The media type of a Content-Type header without its parameters; undefined for text that is none. */
export function contentTypeOf(header: string | undefined): string | undefined {
  const type = (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return type === '' || type.includes('/') ? type : undefined;
}
