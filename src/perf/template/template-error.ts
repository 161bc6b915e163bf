/** What is wrong with a template, in one line; whoever knows the file's name puts it in front. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
