/** The host of an effect, with its port if the URL has one. Text that is not a URL is returned unchanged; the call will fail. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host || url.slice(0, 253)
}
