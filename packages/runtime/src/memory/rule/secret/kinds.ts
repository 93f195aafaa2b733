export const secretKinds = ['private_key', 'token', 'url_password', 'card_number', 'labeled', 'one_time_code', 'high_entropy'] as const
export type SecretKind = (typeof secretKinds)[number]
