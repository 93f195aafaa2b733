import { language } from '../language/language.ts'

/** The locale of numbers and times, everywhere in the window. */
export const locale = language.locale
