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
  functionOf('path', member('authorizer_path', [AUTHORIZER, STRING], PATH_CHECK)),
  functionOf('group', member('authorizer_group', [AUTHORIZER, STRING], GROUP_CHECK)),
  functionOf('serviceAccount', member('authorizer_serviceaccount', [AUTHORIZER, STRING, STRING], AUTHORIZER)),
  functionOf('resource', member('groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('subresource', member('resourcecheck_subresource', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('namespace', member('resourcecheck_namespace', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('name', member('resourcecheck_name', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('fieldSelector', member('authorizer_fieldselector', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf('labelSelector', member('authorizer_labelselector', [RESOURCE_CHECK, STRING], RESOURCE_CHECK)),
  functionOf(
    'check',
    member('pathcheck_check', [PATH_CHECK, STRING], DECISION),
    member('resourcecheck_check', [RESOURCE_CHECK, STRING], DECISION),
  ),
  functionOf('errored', member('decision_errored', [DECISION], BOOL)),
  functionOf('error', member('decision_error', [DECISION], STRING)),
  functionOf('allowed', member('decision_allowed', [DECISION], BOOL)),
  functionOf('reason', member('decision_reason', [DECISION], STRING)),
  functionOf('image', global('string_to_image', [STRING], objectType('kubernetes.Image'))),
  functionOf('isImage', global('is_image_string', [STRING], BOOL)),
];
