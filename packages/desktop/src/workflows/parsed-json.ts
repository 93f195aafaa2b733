/** The value of a JSON text; the text itself if a newer version returns something else. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Shown as it is.
    return text
  }
}
