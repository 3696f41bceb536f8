/** Partners and people to try the API with. */
export type DemoUser = { email: string; password: string; role: string };

export type DemoPartner = {
  partnerId: string;
  name: string;
  clientId: string;
  privateKeyFile: string;
  certificateFile: string;
  users: DemoUser[];
  /** The client of its test twin; only of the first partner. */
  sandbox?: DemoClient;
};

export type DemoClient = Pick<
  DemoPartner,
  "partnerId" | "name" | "clientId" | "privateKeyFile" | "certificateFile"
>;

export type DemoAccounts = { partners: DemoPartner[]; analysts: { email: string; password: string }[] };

export const noAccounts: DemoAccounts = { partners: [], analysts: [] };

/** The first partner is number 1. */
export function demoPartner({ partners }: DemoAccounts, number: number): DemoPartner {
  const partner = partners[number - 1];
  if (!partner) throw new Error(`There is no demo partner ${number}.`);
  return partner;
}
