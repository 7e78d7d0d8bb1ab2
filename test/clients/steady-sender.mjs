// Sends leads with the built client that its argument names, and prints their ids. Also for old versions of Node.
const { Leadgate } = await import(process.argv[2]);

const { LEADGATE_URL, LEADGATE_TOKEN, LEADS } = process.env;
// Patient, because a busy machine may need minutes to start the service again; all else is the default.
const options = { timeoutMs: 250_000 };
const leadgate = new Leadgate({ url: LEADGATE_URL, token: LEADGATE_TOKEN, ...options });
const leads = Array.from({ length: Number(LEADS) }, (_, number) => ({
  number,
  email: `a${number}@example.com`,
}));
const results = await leadgate.submitAll(leads, { concurrency: 4 });
const failed = results.find(({ status }) => status !== 'accepted');
if (failed) throw new Error(`A lead was not accepted: ${failed.status} ${failed.error}`);
process.stdout.write(JSON.stringify(results.map(({ submissionId }) => submissionId)));
