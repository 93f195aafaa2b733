export const secretKinds = ['private_key', 'token', 'url_password', 'card_number', 'labeled', 'high_entropy'] as const
export type SecretKind = (typeof secretKinds)[number]
