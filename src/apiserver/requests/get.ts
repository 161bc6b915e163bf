import type { ApiResource } from '../../kinds/object/api-resource.ts';
import { notFound, unclassified } from '../../kinds/object/refusals.ts';
import type { Answer, ResourceRequest } from '../context/context.ts';
import { listObject, listOf, listPieces, tooLargeVersion } from './list.ts';
import { versionIn } from './query.ts';
import { storedAnswer } from './stored-answer.ts';

/** GET of one object. @throws StatusError */
export function getOne(asked: ResourceRequest): Answer {
  const { modules, request, served, namespace, name } = asked;
  const storage = modules.storages.of(served);
  const given = request.query.get('resourceVersion') ?? '';
  const version = versionIn(given);
  if (typeof version === 'string') {
    throw unclassified(`resourceVersion: Invalid value: ${JSON.stringify(given)}: ${version}`);
  }
  if (version > storage.version) throw tooLargeVersion(version, storage.version);
  const found = storage.stored(namespace, name);
  if (found === undefined) throw notFound(namedInRefusals(served.resource), name);
  return storedAnswer(served, storage, found);
}

/** Refusals about the status of components name it in the singular. */
function namedInRefusals(resource: ApiResource): Pick<ApiResource, 'group' | 'resource'> {
  return resource.resource === 'componentstatuses' ? { group: '', resource: 'componentstatus' } : resource;
}

/** GET of a collection. @throws StatusError */
export function list(asked: ResourceRequest): Answer {
  const { served } = asked;
  const page = listOf(asked);
  return {
    ...{ type: 'object', status: 200, served, pieces: () => listPieces(served.resource, page) },
    get object() {
      return listObject(served.resource, page);
    },
  };
}
