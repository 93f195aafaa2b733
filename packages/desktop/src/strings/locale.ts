/** The locale of numbers and times, everywhere in the window. */
export const locale = 'en-GB'
