// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Calls that spend a balance read at execution time
/// @notice The calls of a cross-chain request are fixed before the amount that reaches the destination is final. These
/// functions read the live balance, write it into the calldata of the calls, make the calls, and sweep the rest.
///
/// Two contracts offer this interface and differ only in where the funds come from:
/// - `BalanceExecutor` spends what was sent to it earlier in the same transaction. It calls arbitrary targets, so never
///   approve it. It is empty between transactions; the next caller can take anything left on it.
/// - `BalanceProxy` first pulls the caller's approved balance into its executor, then forwards the call. It makes no
///   arbitrary call and pulls from its caller only, so other callers cannot use an approval of it.
///
/// Assumptions:
/// - The caller chooses the tokens and targets, and trusts them with the funds of this one call only.
/// - Targets see the executor as their `msg.sender`.
/// - An attacker may control the executor's account in other contracts: any caller can make it approve, delegate,
///   register or borrow there, by functions that `StandingApproval` does not list. Never grant that account rights or
///   credit. Where a token can lock or indebt an account, an attacker can make the executor unusable for that token;
///   then deploy another proxy.
/// - Funds leave the executor in a step only by that step's approval or value. Every named token except the target
///   itself is measured after each step and at its sweep, so an earlier attacker's authority cannot drain it unnoticed.
/// - Three gaps remain. Of funds sent ahead, only `minimumReceived` bounds what is lost before the steps begin; what
///   the proxy pulls is measured. What a step brings in can be taken before that step ends. A step whose target is the
///   token is not measured for that token. `minimumOutput` of `execute` bounds the last two; `spend` has no such bound.
/// - A step reverts with `UnapprovedOutflow` if tokens leave it without using its allowance. Examples: a lending pool
///   that burns its receipt tokens, and a token that rebases down, taxes its sender on top, or reports an infinite
///   allowance for the target.
/// - A token that rejects an approval of zero can only be spent whole.
/// - Transfers and approvals that a token rejects revert with the errors of Solady's `SafeTransferLib`, which carry no
///   arguments: `TransferFailed`, `TransferFromFailed`, `ApproveFailed`, `ETHTransferFailed`.
interface IBalanceActions {
    /// @notice A currency that the actions receive or spend. List every such currency exactly once.
    /// @param token The token; zero is the chain's native currency.
    /// @param minimumReceived Minimum balance when the steps begin, in the token's smallest unit. Zero requires all
    /// that the proxy pulled, so a token with a fee on transfers needs another minimum; on the executor it requires
    /// nothing.
    /// @param recipient Receives the executor's remaining balance after the steps.
    /// @param minimumOutput Minimum growth of `recipient`'s balance since the first step began; zero disables the
    /// check.
    struct Asset {
        address token;
        uint256 minimumReceived;
        address recipient;
        uint256 minimumOutput;
    }

    /// @notice A place in a step's calldata where a live balance is written.
    /// @param offset First byte of the 32-byte word, counted from the first byte of the selector. The word must lie
    /// inside the calldata, after the selector, and be zero.
    /// @param token Token whose executor balance is written; zero is the native currency.
    struct Splice {
        uint256 offset;
        address token;
    }

    /// @notice One external call.
    /// @param target Contract to call; must have code.
    /// @param approvedToken Token approved to the target for the executor's whole balance; zero for none. The approval
    /// is revoked when the step ends.
    /// @param value Wei to send along; must be zero when `sendNativeBalance` is set.
    /// @param sendNativeBalance Whether to send the executor's whole native balance.
    /// @param data Calldata, with zero words where `splices` point.
    /// @param splices The live balances to write into `data`, by ascending offset.
    struct Step {
        address target;
        address approvedToken;
        uint256 value;
        bool sendNativeBalance;
        bytes data;
        Splice[] splices;
    }

    /// @notice Arguments of `executeWithNftRecipient`.
    /// @param assets Every currency received or spent, each once.
    /// @param steps The calls, in order.
    /// @param nftRecipient Receives every NFT that arrives; if it has code, it must accept them.
    struct NftExecution {
        Asset[] assets;
        Step[] steps;
        address nftRecipient;
    }

    /// @notice Thrown on a call of the executor while it runs another call, or while the proxy pulls.
    error Reentrancy();

    /// @notice Thrown when the balance is below the caller's minimum, zero where something must be spent, or less than
    /// the proxy's pulls brought.
    /// @param token The currency; zero is native.
    /// @param received The balance, in the currency's smallest unit.
    /// @param minimum The required minimum: the caller's, or what the proxy pulled.
    error ReceivedTooLittle(address token, uint256 received, uint256 minimum);

    /// @notice Thrown when a recipient's balance grew by less than the caller's minimum.
    /// @param token The currency; zero is native.
    /// @param output The growth, in the currency's smallest unit.
    /// @param minimum The required growth.
    error OutputTooLow(address token, uint256 output, uint256 minimum);

    /// @notice Thrown when a recipient is the zero address, the executor or the proxy.
    /// @param index The asset's place in the list.
    error RecipientInvalid(uint256 index);

    /// @notice Thrown when the NFT recipient is the zero address, the executor or the proxy.
    /// @param recipient The address that was named.
    error NftRecipientInvalid(address recipient);

    /// @notice Thrown when a call names an NFT recipient and forwarded no NFT: the collection minted elsewhere, or
    /// without a receipt.
    /// @param recipient The recipient that was named.
    error NoNftForwarded(address recipient);

    /// @notice Thrown when a currency is named twice.
    /// @param token The currency; zero is native.
    error AssetDuplicated(address token);

    /// @notice Thrown when a step spends a currency that is not among the assets, so that its rest would not be swept.
    /// @param token The currency; zero is native.
    error AssetNotNamed(address token);

    /// @notice Thrown when a splice does not point at a whole word after the selector.
    /// @param offset First byte of the word.
    /// @param length The length of the calldata, in bytes.
    error SpliceOutOfBounds(uint256 offset, uint256 length);

    /// @notice Thrown when the word at a splice is not zero: the offset is wrong, or the word is in use.
    /// @param offset First byte of the word.
    /// @param found The word found.
    error SpliceWordNotZero(uint256 offset, bytes32 found);

    /// @notice Thrown when two splices share bytes, or are not in ascending order.
    /// @param offset First byte of the later splice.
    /// @param previousEnd First byte after the earlier splice.
    error SplicesOverlap(uint256 offset, uint256 previousEnd);

    /// @notice Thrown when a step names both a fixed value and the native balance.
    /// @param index The step's place in the list.
    error StepValueAmbiguous(uint256 index);

    /// @notice Thrown when a step's target has no code: a call would succeed without any effect.
    /// @param index The step's place in the list.
    /// @param target The address without code.
    error TargetHasNoCode(uint256 index, address target);

    /// @notice Thrown when a step would give a standing approval by a function that `StandingApproval` lists. Use
    /// `approvedToken` instead: that approval ends with its step.
    /// @param index The step's place in the list.
    /// @param selector The rejected function.
    error StandingApprovalRefused(uint256 index, bytes4 selector);

    /// @notice Thrown when a step targets the ERC-1820 registry, where an attacker could register hooks for the
    /// executor.
    /// @param index The step's place in the list.
    /// @param registry The registry's address.
    error RegistryRefused(uint256 index, address registry);

    /// @notice Thrown when funds left a step by another way than its approval or value, or left between two sweeps.
    /// @param index The step's place in the list; the number of steps for an outflow during the sweeps.
    /// @param token The currency; zero is native.
    /// @param left The balance left, in the currency's smallest unit; for native currency, plus the value the step
    /// sent.
    /// @param minimum The balance required: the balance before the step, less the part of its approval the target used.
    error UnapprovedOutflow(uint256 index, address token, uint256 left, uint256 minimum);

    /// @notice Thrown when a step's call reverts.
    /// @param index The step's place in the list.
    /// @param target The contract that reverted.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error StepFailed(uint256 index, address target, bytes reason);

    /// @notice Thrown when native currency would remain: no asset names it, or some came back after its sweep.
    /// @param amount Wei.
    error NativeLeftBehind(uint256 amount);

    /// @notice Emitted when native currency is swept; tokens log their own transfers.
    /// @param recipient The recipient.
    /// @param amount Wei.
    event NativeSwept(address indexed recipient, uint256 amount);

    /// @notice Spends the whole balance of one token in one call. Approves `target` for the balance, writes the balance
    /// at `offset`, makes the call, revokes the rest of the approval, and sends the remaining tokens to `recipient`.
    /// @dev Cheaper than `execute`. Outputs must go where `data` sends them; use `execute` to collect or bound them.
    /// Reverts with `ReceivedTooLittle` (always at a balance of zero), `RecipientInvalid`, `SpliceOutOfBounds`,
    /// `SpliceWordNotZero`, `TargetHasNoCode`, `RegistryRefused`, `StandingApprovalRefused`, `StepFailed` or
    /// `UnapprovedOutflow` (each with index 0), `Reentrancy`, or an error of the token.
    /// @param token The token to spend; not native.
    /// @param minimumReceived Minimum balance, in the token's smallest unit; zero as for `Asset`.
    /// @param target Contract to call.
    /// @param offset Where in `data` the balance is written; see `Splice`.
    /// @param data Calldata for `target`.
    /// @param recipient Receives the rest of `token`, and native currency that was returned.
    function spend(
        address token,
        uint256 minimumReceived,
        address target,
        uint256 offset,
        bytes calldata data,
        address recipient
    ) external;

    /// @notice Makes several calls over several currencies, all or none, then sweeps every asset to its recipient.
    /// @dev Order: received minimums, steps, sweeps, output minimums. Reverts with any error of this interface except
    /// those about NFTs, or with an error of a token.
    /// @param assets Every currency received or spent, each once.
    /// @param steps The calls, in order.
    function execute(Asset[] calldata assets, Step[] calldata steps) external payable;

    /// @notice Does the same as `execute`, and forwards each ERC-721 and ERC-1155 token that a target safe-transfers to
    /// the executor to `nftRecipient` at once. Outside this function the executor rejects such tokens.
    /// @dev Reverts with `NftRecipientInvalid`, with `NoNftForwarded` unless it forwarded at least one token, or for
    /// the reasons of `execute`. On the executor itself, an asset may be an ERC-721 collection: `minimumOutput` then
    /// counts tokens, and tokens that came without a receipt revert at the sweep with `TransferFailed`. The proxy cannot
    /// pull such an asset. If one token was forwarded, others of an unnamed collection that came without a receipt stay
    /// on the executor, where anyone can take them.
    /// @param execution Assets, steps and recipient.
    function executeWithNftRecipient(NftExecution calldata execution) external payable;
}
