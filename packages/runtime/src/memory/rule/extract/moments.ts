// Dates, times and amounts in words and digits.

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const weekday = '(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?'

/** A day: "24 April", "April 24th", "2026-04-24", "the 24th", "Friday", "in September". */
export const day = new RegExp(
  String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|${month} \d{1,2}(?:st|nd|rd|th)?|\d{4}-\d{2}-\d{2}|the \d{1,2}(?:st|nd|rd|th)|${weekday}|(?:in|by|until|since|from|till|end of|early|mid|late|next|starting|due) ${month})\b`,
  'i',
)
/** A day that a calendar can show without knowing today. */
export const calendarDay = new RegExp(
  String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|${month} \d{1,2}(?:st|nd|rd|th)?|\d{4}-\d{2}-\d{2}|the \d{1,2}(?:st|nd|rd|th))\b`,
  'i',
)
export const clock =
  /\b(?:\d{1,2}[:h]\d{2}(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?|noon|midnight|(?:before|after|until|till|by|at|from) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?: in the (?:morning|afternoon|evening))?)\b/i
export const past = new RegExp(
  String.raw`\b(?:yesterday|last (?:night|week|month|year|${weekday})|this (?:morning|afternoon|week|month)|earlier (?:today|this)|ago|today|tonight|on ${weekday}|over the weekend|just now|back in)\b`,
  'i',
)
export const amount =
  /\b\d[\d.,]*\s?(?:%|percent|€|\$|£|euros?|dollars?|pounds|eur|usd|gbp|chf|kr|k\b|kb|mb|gb|tb|m2|m²|km|cm|mm|kg|g\b|hours?|hrs?|minutes?|mins?|days?|weeks?|months?|years?|people|students|seats|per|an hour|a month|a year|a week|a day)|[€$£]\s?\d/i
export const number = /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand)\b/
