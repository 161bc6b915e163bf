import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { BOOL, objectType, STRING } from '../values/types.ts';

const AUTHORIZER = objectType('kubernetes.authorization.Authorizer');
const PATH_CHECK = objectType('kubernetes.authorization.PathCheck');
const GROUP_CHECK = objectType('kubernetes.authorization.GroupCheck');
const RESOURCE_CHECK = objectType('kubernetes.authorization.ResourceCheck');
const DECISION = objectType('kubernetes.authorization.Decision');

/**
 * Functions of Kubernetes' environments that no expression about devices can call, because no variable has their
 * types. They are declared so that messages are those of upstream.
 */
export const declaredFunctions: readonly FunctionDeclaration[] = [
  functionOf('path', member('', [AUTHORIZER, STRING], PATH_CHECK)),
  functionOf('group', member('', [AUTHORIZER, STRING], GROUP_CHECK)),
  functionOf('serviceAccount', member('', [AUTHORIZER, STRING, STRING], AUTHORIZER)),
  functionOf('resource', member('', [GROUP_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('subresource', member('', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('namespace', member('', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('name', member('', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('fieldSelector', member('', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('labelSelector', member('', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('check', member('', [PATH_CHECK, STRING], DECISION), member('', [RESOURCE_CHECK, STRING], DECISION)),
  functionOf('errored', member('', [DECISION], BOOL)),
  functionOf('error', member('', [DECISION], STRING)),
  functionOf('allowed', member('', [DECISION], BOOL)),
  functionOf('reason', member('', [DECISION], STRING)),
  functionOf('image', global('', [STRING], objectType('kubernetes.Image'))),
  functionOf('isImage', global('', [STRING], BOOL)),
];
