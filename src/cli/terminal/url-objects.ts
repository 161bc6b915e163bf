import type { AwsClient } from 'aws4fetch';
import { CodedError } from '../../lib/errors.ts';
import { errorCode } from '../../lib/file-errors.ts';

/** Objects that are kept under URLs: of a web server that takes PUT, or of an object store such as S3. */
export interface UrlObjects {
  /** Undefined where there is none. Rejects with `UrlNotReadable`. */
  get(url: string): Promise<Uint8Array | undefined>;
  /** Rejects with `UrlNotWritable`. */
  put(url: string, content: Uint8Array): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The header that web servers are sent; its name says whose it is. */
const AUTHORIZATION = 'BERTH_RESULTS_AUTHORIZATION';
/** What a request may meet that is over a little later. */
const TRIES_MAX = 5;
const FIRST_PAUSE_MILLIS = 500;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;

/** Whether the name of an output is that of an object. */
export function isObjectUrl(name: string): boolean {
  return /^(?:https?|s3):\/\//.test(name);
}

/** The URL of an object in the folder of another URL, whose query stays: it may have a signature. */
export function objectUrl(folder: string, name: string): string {
  const [path = '', ...query] = folder.split('?');
  return [`${path.replace(/\/$/, '')}/${name}`, ...query].join('?');
}

/**
 * Objects over HTTP. `s3://BUCKET/KEY` is signed with the credentials of AWS's variables and goes to AWS_ENDPOINT_URL,
 * or to Amazon; `http:` and `https:` are sent as they are, with the header of BERTH_RESULTS_AUTHORIZATION if it is set.
 *
 * @param pause resolves after this time
 */
export function urlObjects(environment: Environment, pause: (millis: number) => Promise<void>): UrlObjects {
  let client: Promise<AwsClient> | undefined;
  const send = async (url: string, request: RequestInit): Promise<Response> => {
    if (!url.startsWith('s3://')) return fetch(url, { ...request, headers: headersFor(url, environment) });
    client ??= awsClient(environment);
    return (await client).fetch(s3Url(url, environment), request);
  };
  /** Throws the reason of the last try. */
  const answered = async (url: string, request: RequestInit): Promise<Response> => {
    for (let tries = 1, millis = FIRST_PAUSE_MILLIS; ; tries++, millis *= 2) {
      let reason: string;
      try {
        const response = await send(url, request);
        if (response.status < 500 && response.status !== TOO_MANY_REQUESTS) return response;
        reason = await answerText(response);
      } catch (error) {
        if (error instanceof CodedError) throw error;
        reason = failureText(error);
      }
      if (tries === TRIES_MAX) throw new Error(`${reason}, ${tries} times`);
      await pause(millis);
    }
  };
  return {
    async get(url) {
      const refused = (reason: string) => new CodedError('UrlNotReadable', `${shown(url)}: cannot be read: ${reason}`);
      const response = await answered(url, { method: 'GET' }).catch((error) => Promise.reject(known(error, refused)));
      if (response.status === NOT_FOUND) return undefined;
      if (!response.ok) throw refused(await answerText(response));
      return new Uint8Array(await response.arrayBuffer());
    },
    async put(url, content) {
      const refused = (reason: string) =>
        new CodedError('UrlNotWritable', `${shown(url)}: cannot be written: ${reason}`);
      const body = content as Uint8Array<ArrayBuffer>;
      const response = await answered(url, { method: 'PUT', body }).catch((error) =>
        Promise.reject(known(error, refused)),
      );
      if (!response.ok) throw refused(await answerText(response));
      await response.body?.cancel();
    },
  };
}

function headersFor(url: string, environment: Environment): Record<string, string> {
  const authorization = environment[AUTHORIZATION];
  const isAzure = new URL(url).hostname.endsWith('.blob.core.windows.net');
  return {
    ...(authorization !== undefined && { authorization }),
    ...(isAzure && { 'x-ms-blob-type': 'BlockBlob' }),
  };
}

async function awsClient(environment: Environment): Promise<AwsClient> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = environment;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new CodedError('NoCredentials', 's3: needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment');
  }
  const library = await import('aws4fetch');
  return new library.AwsClient({
    ...{ accessKeyId, secretAccessKey, service: 's3', region: regionOf(environment), retries: 0 },
    ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
  });
}

/** The bucket is a part of the path, since stores of one's own have no name for each. */
function s3Url(url: string, environment: Environment): string {
  const amazon = `https://s3.${regionOf(environment)}.amazonaws.com`;
  const endpoint = environment['AWS_ENDPOINT_URL_S3'] ?? environment['AWS_ENDPOINT_URL'] ?? amazon;
  return `${endpoint.replace(/\/$/, '')}/${url.slice('s3://'.length)}`;
}

function regionOf(environment: Environment): string {
  return environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? 'us-east-1';
}

/** The status of an answer, and the reason that stores put into a document. */
async function answerText(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  const reason = /<Code>([^<]*)<\/Code>/.exec(text)?.[1];
  return `the server answered ${response.status} ${reason ?? response.statusText}`.trimEnd();
}

function failureText(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorCode(cause) || (cause instanceof Error ? cause.message : String(cause));
}

function known(error: unknown, refused: (reason: string) => Error): unknown {
  return error instanceof CodedError ? error : refused(error instanceof Error ? error.message : String(error));
}

/** A query may have a signature, which no message shows. */
function shown(url: string): string {
  return url.replace(/\?.*$/s, '');
}
