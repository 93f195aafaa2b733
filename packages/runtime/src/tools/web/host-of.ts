/** The host of an effect, with its port when the URL names one. What is no URL stands for itself; running it will fail. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host || url.slice(0, 253)
}
