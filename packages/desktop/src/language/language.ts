// The language of this window. It is known before any text is evaluated: the modules in strings/ import this one.
import { chooseLanguage, type Language, type LanguageName, languages } from './languages.ts'
import { translateAll } from './translate.ts'

const key = 'tandem.language'
export const languageName = chosen()

export const language: Language = languages[languageName]

// English waits for nothing.
const translate = language.load === null ? null : await language.load()

/** Each module in strings/ passes its texts through this, under its own name. */
export function translated<T>(module: string, english: T): T {
  return translateAll(english, [module], translate)
}

function chosen(): LanguageName {
  // Tests of single modules and workers have no document.
  if (!('document' in globalThis)) return 'en'
  try {
    return chooseLanguage(localStorage.getItem(key), navigator.languages)
  } catch (error) {
    console.warn('the language cannot be read', error)
    return chooseLanguage(null, navigator.languages)
  }
}
