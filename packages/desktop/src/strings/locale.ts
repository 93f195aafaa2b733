/** How numbers and times are written, everywhere in the window. */
export const locale = 'en-GB'
