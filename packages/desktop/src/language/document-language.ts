import { language, languageName } from './language.ts'

/** So that screen readers, hyphenation and fonts fit. */
export function applyLanguage(): void {
  document.documentElement.lang = languageName
  document.documentElement.dir = language.direction
}
