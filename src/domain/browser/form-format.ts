const urlencodedShape = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
const multipartShape = /^multipart\/form-data[ \t]*(?:;|$)/i;

/** How a browser sends a form without script; null for any other content type. */
export function formFormatOf(contentType: string): 'urlencoded' | 'multipart' | null {
  if (urlencodedShape.test(contentType)) return 'urlencoded';
  return multipartShape.test(contentType) ? 'multipart' : null;
}
