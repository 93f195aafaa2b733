// Text that others wrote, made so that it looks like what it is: what turns or hides text is shown by its number.

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g

export function visibleText(text: string): string {
  return text.replace(hidden, (letter) => `⟨U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}
