// The languages of the window. English is part of the window; every other one is loaded when it is chosen.
import type { Translate } from './translate.ts'

export interface Language {
  /** The locale of numbers, dates and times. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  /** Whether it is chosen because the browser prefers it. The pseudo-locale is only for tests. */
  readonly isOffered: boolean
  /** Null for English, which the texts are written in. */
  readonly load: (() => Promise<Translate>) | null
}

export const languages = {
  en: { locale: 'en-GB', direction: 'ltr', isOffered: true, load: null },
  'en-XA': {
    locale: 'en-GB',
    direction: 'ltr',
    isOffered: false,
    load: () => import('./pseudo-locale.ts').then((found) => found.accented),
  },
} as const satisfies Record<string, Language>

export type LanguageName = keyof typeof languages
export const languageNames = Object.keys(languages) as readonly LanguageName[]

/** What the user has chosen in this browser, else the first language the browser prefers that exists, else English. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): LanguageName {
  const chosen = languageNames.find((name) => name === stored)
  if (chosen) return chosen
  const offered = languageNames.filter((name) => languages[name].isOffered)
  for (const tag of preferred) {
    const found = offered.find((name) => name === tag) ?? offered.find((name) => name === tag.split('-')[0])
    if (found) return found
  }
  return 'en'
}
