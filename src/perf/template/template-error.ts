/** A template error in one line; the caller that knows the file's name puts it in front. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
