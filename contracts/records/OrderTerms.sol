// SPDX-License-Identifier: MIT
pragma solidity ^0.8.17;

/// @title Terms that a solver's signed order must meet
/// @notice Compares an order with the integrator's own terms, recovers its signer and returns its `orderId`, in one
/// pass: every hash that the id needs is the hash that is compared. No storage, no dependency, any EVM from london on.
/// @dev Take the terms from someone else than the order: the user's signature, the contract's own state, a vote. Terms
/// from the caller who brings the order prove only that the two agree. The library stores nothing, so the same order
/// passes again; a second payment of it is unprotected.
///
/// Free fields, bound by the signature only: `solverChainId` (where the solver settles), `salt`, every `extraData` (the
/// fill contract, which settlement checks), `expectedAmount` (settlement never reads it), the refunds' `minimumAmount`
/// (zero in published orders), and on the destination a refund's currency and deadline.
library OrderTerms {
    /// @notice The `protocol.v2.orderData` of a quote, in the order of its EIP-712 type.
    struct Order {
        string version;
        string solverChainId;
        address solver;
        uint256 salt;
        Input[] inputs;
        Output output;
        Fee[] fees;
    }

    /// @notice A payment to the depository and its allowed refunds.
    struct Input {
        InputPayment payment;
        InputRefund[] refunds;
    }

    /// @notice Chain, currency and amount of an input, and its share of the order.
    struct InputPayment {
        string chainId;
        bytes currency;
        uint256 amount;
        uint256 weight;
    }

    /// @notice An allowed refund of one input.
    struct InputRefund {
        string chainId;
        bytes recipient;
        bytes currency;
        uint256 minimumAmount;
        uint32 deadline;
        bytes extraData;
    }

    /// @notice The solver's obligation on the destination.
    struct Output {
        string chainId;
        OutputPayment[] payments;
        uint32 deadline;
        bytes[] calls;
        bytes extraData;
    }

    /// @notice A payment on the destination.
    struct OutputPayment {
        bytes recipient;
        bytes currency;
        uint256 minimumAmount;
        uint256 expectedAmount;
    }

    /// @notice A fee, paid out of the settlement.
    struct Fee {
        string recipientChainId;
        bytes recipient;
        string currencyChainId;
        bytes currency;
        uint256 amount;
    }

    /// @notice The integrator's terms. Members left zero allow nothing: no calls, no fees, no output currency.
    /// @param solver Pinned solver: the order names it and it signed the id.
    /// @param originChain Hash of the protocol's name of this chain; zero fits no order. See `ProtocolNames`.
    /// @param currency The deposited token; zero for the native currency.
    /// @param amount Exactly the deposited amount.
    /// @param refundTo Recipient of every refund on this chain; not zero.
    /// @param destinationChain Hash of the protocol's name of the destination; zero fits no order.
    /// @param recipient Hash of the recipient's bytes; see `hashOf`. With calls, the router that makes them; without
    /// calls never a router, from which anyone may take the payment.
    /// @param outputCurrency Hash of the output currency's bytes, or `ANY_CURRENCY`.
    /// @param minimumAmount Least `minimumAmount` of the output; not zero.
    /// @param callsHash EIP-712 hash of `output.calls`, as `hashOf` gives it; zero for no calls.
    /// @param earliestDeadline Earliest deadline of the fill. The current time is a lower limit too.
    /// @param latestDeadline Latest deadline of the fill.
    /// @param maximumFees Largest sum of the order's fees, which must be in `currency` on this chain.
    struct Terms {
        address solver;
        bytes32 originChain;
        address currency;
        uint256 amount;
        address refundTo;
        bytes32 destinationChain;
        bytes32 recipient;
        bytes32 outputCurrency;
        uint256 minimumAmount;
        bytes32 callsHash;
        uint256 earliestDeadline;
        uint256 latestDeadline;
        uint256 maximumFees;
    }

    /// @notice Thrown when the order's form is not the one that this library reads.
    error VersionDiffers(string version, string expected);

    /// @notice Thrown when the order names another solver.
    error SolverDiffers(address solver, address expected);

    /// @notice Thrown unless the order has one input.
    error InputCountDiffers(uint256 count, uint256 expected);

    /// @notice Thrown when the input is paid on another chain.
    error InputChainDiffers(string chainId, bytes32 expectedHash);

    /// @notice Thrown when the input is another currency than the deposit.
    error InputCurrencyDiffers(bytes currency, address expected);

    /// @notice Thrown when the input is another amount than the deposit.
    error InputAmountDiffers(uint256 amount, uint256 expected);

    /// @notice Thrown when the input's weight is not one.
    error InputWeightDiffers(uint256 weight, uint256 expected);

    /// @notice Thrown when the terms name no recipient of refunds.
    error RefundToIsZero();

    /// @notice Thrown when no refund on this chain is allowed.
    error OriginRefundMissing(uint256 refundCount, bytes32 originHash);

    /// @notice Thrown when a refund is neither on this chain nor on the destination.
    error RefundChainDiffers(uint256 index, string chainId, bytes32 originHash, bytes32 destinationHash);

    /// @notice Thrown when a refund on this chain is paid to another account than `refundTo`, or one on the destination
    /// neither to `refundTo` nor to the output's recipient. `expectedHash` is the hash of `refundTo`.
    error RefundRecipientDiffers(uint256 index, bytes recipient, bytes32 expectedHash);

    /// @notice Thrown when a refund on this chain is in another currency than the deposit.
    error RefundCurrencyDiffers(uint256 index, bytes currency, address expected);

    /// @notice Thrown when a refund on this chain ends before the fill's deadline.
    error RefundDeadlineTooEarly(uint256 index, uint256 deadline, uint256 outputDeadline);

    /// @notice Thrown when the output is on another chain.
    error OutputChainDiffers(string chainId, bytes32 expectedHash);

    /// @notice Thrown unless the output is one payment.
    error PaymentCountDiffers(uint256 count, uint256 expected);

    /// @notice Thrown when the output is paid to another recipient.
    error RecipientDiffers(bytes recipient, bytes32 expectedHash);

    /// @notice Thrown when the recipient is empty or only zeros.
    error RecipientIsZero(bytes recipient);

    /// @notice Thrown when the output is another currency.
    error OutputCurrencyDiffers(bytes currency, bytes32 expectedHash);

    /// @notice Thrown when the terms demand no minimum.
    error MinimumIsZero();

    /// @notice Thrown when the solver may pay less than the terms demand.
    error MinimumTooLow(uint256 minimumAmount, uint256 expected);

    /// @notice Thrown when the fill's deadline is passed or outside the window. `earliest` is at least the current time.
    error DeadlineOutsideWindow(uint256 deadline, uint256 earliest, uint256 latest);

    /// @notice Thrown when the calls are not those of the terms.
    error CallsDiffer(bytes32 callsHash, bytes32 expectedHash);

    /// @notice Thrown when the fees exceed the terms. `fees` is the sum up to the first excess.
    error FeesTooHigh(uint256 fees, uint256 maximum);

    /// @notice Thrown when a fee is not in the deposited currency on this chain.
    error FeeCurrencyDiffers(uint256 index, string chainId, bytes currency, address expected);

    /// @notice Thrown when the signature is neither 65 nor 64 bytes long.
    error SignatureLengthDiffers(uint256 length, uint256 expected);

    /// @notice Thrown when `s` is in the upper half of the curve order.
    error SignatureSAboveHalf(bytes32 s, bytes32 maximum);

    /// @notice Thrown when another account signed this order, or none: `signer` is then zero.
    error SignerDiffers(address signer, address expected);

    /// @notice Thrown when the depositor is zero or this contract.
    error DepositorInvalid(address depositor);

    bytes32 private constant ORDER_TYPEHASH = keccak256(
        "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)"
        "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
        "Input(InputPayment payment,InputRefund[] refunds)"
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
        "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)"
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );

    bytes32 private constant INPUT_TYPEHASH = keccak256(
        "Input(InputPayment payment,InputRefund[] refunds)"
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
    );

    bytes32 private constant INPUT_PAYMENT_TYPEHASH = keccak256(
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
    );

    bytes32 private constant INPUT_REFUND_TYPEHASH = keccak256(
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
    );

    bytes32 private constant OUTPUT_TYPEHASH = keccak256(
        "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)"
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );

    bytes32 private constant OUTPUT_PAYMENT_TYPEHASH = keccak256(
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );

    bytes32 private constant FEE_TYPEHASH = keccak256(
        "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
    );

    bytes32 private constant VERSION_HASH = keccak256("v1");

    /// @dev Hash of an empty list.
    bytes32 private constant EMPTY_HASH = keccak256("");

    /// @dev Half the order of secp256k1, rounded down (EIP-2).
    bytes32 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @notice Value of `outputCurrency` that allows any currency: a worthless token may then be the output.
    bytes32 internal constant ANY_CURRENCY = bytes32(uint256(1));

    /// @notice Checks an order and recovers its signer.
    /// @param order The order.
    /// @param signature Signature of the id: 65 bytes, or 64 bytes (ERC-2098), with low `s`.
    /// @param terms The integrator's terms.
    /// @return orderId The id that the deposit must name.
    function check(
        Order calldata order,
        bytes calldata signature,
        Terms memory terms
    ) internal view returns (bytes32 orderId) {
        if (_hash(bytes(order.version)) != VERSION_HASH) revert VersionDiffers(order.version, "v1");
        if (order.solver != terms.solver) revert SolverDiffers(order.solver, terms.solver);
        orderId = keccak256(
            abi.encode(
                ORDER_TYPEHASH,
                VERSION_HASH,
                _hash(bytes(order.solverChainId)),
                order.solver,
                order.salt,
                _hashInputs(order.inputs, order.output.deadline, terms),
                _hashOutput(order.output, terms),
                _hashFees(order.fees, terms)
            )
        );
        address signer = _recover(orderId, signature);
        if (signer == address(0) || signer != terms.solver) revert SignerDiffers(signer, terms.solver);
    }

    /// @notice Checks the `depositor` argument of the depository, which no order contains. Money that is neither filled
    /// nor refunded is credited to it, and only an account with a key can collect it.
    function checkDepositor(address depositor) internal view {
        if (depositor == address(0) || depositor == address(this)) revert DepositorInvalid(depositor);
    }

    /// @notice Hash of an EVM address as an order has it: 20 bytes.
    function hashOf(address account) internal pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            mstore(0, shl(96, account))
            hash := keccak256(0, 20)
        }
    }

    /// @notice Hash of an address of any chain.
    function hashOf(bytes memory account) internal pure returns (bytes32) {
        return keccak256(account);
    }

    /// @notice EIP-712 hash of a list of calls.
    function hashOf(bytes[] memory calls) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i; i < calls.length; ++i) hashes[i] = keccak256(calls[i]);
        return keccak256(abi.encodePacked(hashes));
    }

    function _hashInputs(
        Input[] calldata inputs,
        uint256 outputDeadline,
        Terms memory terms
    ) private pure returns (bytes32) {
        if (inputs.length != 1) revert InputCountDiffers(inputs.length, 1);
        if (terms.refundTo == address(0)) revert RefundToIsZero();
        Input calldata input = inputs[0];
        bytes32 currency = _hash(input.payment.currency);
        if (currency != hashOf(terms.currency))
            revert InputCurrencyDiffers(input.payment.currency, terms.currency);
        bytes32 payment = _hashPayment(input.payment, currency, terms);
        bytes32 refunds = _hashRefunds(input.refunds, outputDeadline, currency, terms);
        // One member: the list's hash is the hash of its member's.
        return keccak256(abi.encode(keccak256(abi.encode(INPUT_TYPEHASH, payment, refunds))));
    }

    function _hashPayment(
        InputPayment calldata payment,
        bytes32 currency,
        Terms memory terms
    ) private pure returns (bytes32) {
        bytes32 chain = _hash(bytes(payment.chainId));
        if (chain != terms.originChain) revert InputChainDiffers(payment.chainId, terms.originChain);
        if (payment.amount != terms.amount) revert InputAmountDiffers(payment.amount, terms.amount);
        if (payment.weight != 1) revert InputWeightDiffers(payment.weight, 1);
        return keccak256(abi.encode(INPUT_PAYMENT_TYPEHASH, chain, currency, payment.amount, payment.weight));
    }

    function _hashRefunds(
        InputRefund[] calldata refunds,
        uint256 outputDeadline,
        bytes32 inputCurrency,
        Terms memory terms
    ) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](refunds.length);
        bytes32 refundTo = hashOf(terms.refundTo);
        bool hasOrigin;
        for (uint256 i; i < hashes.length; ++i) {
            InputRefund calldata refund = refunds[i];
            bytes32 chain = _hash(bytes(refund.chainId));
            bytes32 recipient = _hash(refund.recipient);
            bytes32 currency = _hash(refund.currency);
            if (chain == terms.originChain) {
                if (currency != inputCurrency)
                    revert RefundCurrencyDiffers(i, refund.currency, terms.currency);
                if (refund.deadline < outputDeadline) {
                    revert RefundDeadlineTooEarly(i, refund.deadline, outputDeadline);
                }
                hasOrigin = true;
            } else if (chain != terms.destinationChain) {
                revert RefundChainDiffers(i, refund.chainId, terms.originChain, terms.destinationChain);
            }
            if (recipient != refundTo && (chain == terms.originChain || recipient != terms.recipient)) {
                revert RefundRecipientDiffers(i, refund.recipient, refundTo);
            }
            hashes[i] = _hashRefund(refund, chain, recipient, currency);
        }
        if (!hasOrigin) revert OriginRefundMissing(hashes.length, terms.originChain);
        return _hashList(hashes);
    }

    function _hashRefund(
        InputRefund calldata refund,
        bytes32 chain,
        bytes32 recipient,
        bytes32 currency
    ) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    INPUT_REFUND_TYPEHASH,
                    chain,
                    recipient,
                    currency,
                    refund.minimumAmount,
                    refund.deadline,
                    _hash(refund.extraData)
                )
            );
    }

    function _hashOutput(Output calldata output, Terms memory terms) private view returns (bytes32) {
        bytes32 chain = _hash(bytes(output.chainId));
        if (chain != terms.destinationChain)
            revert OutputChainDiffers(output.chainId, terms.destinationChain);
        bytes32 payments = _hashPayments(output.payments, terms);
        uint256 deadline = output.deadline;
        uint256 earliest =
            terms.earliestDeadline < block.timestamp ? block.timestamp : terms.earliestDeadline;
        if (deadline < earliest || deadline > terms.latestDeadline) {
            revert DeadlineOutsideWindow(deadline, earliest, terms.latestDeadline);
        }
        bytes32 calls = _hashCalls(output.calls);
        bytes32 expected = terms.callsHash == 0 ? EMPTY_HASH : terms.callsHash;
        if (calls != expected) revert CallsDiffer(calls, expected);
        return
            keccak256(abi.encode(OUTPUT_TYPEHASH, chain, payments, deadline, calls, _hash(output.extraData)));
    }

    function _hashPayments(
        OutputPayment[] calldata payments,
        Terms memory terms
    ) private pure returns (bytes32) {
        if (payments.length != 1) revert PaymentCountDiffers(payments.length, 1);
        OutputPayment calldata payment = payments[0];
        bytes32 recipient = _hash(payment.recipient);
        if (recipient != terms.recipient) revert RecipientDiffers(payment.recipient, terms.recipient);
        if (_isZero(payment.recipient)) revert RecipientIsZero(payment.recipient);
        bytes32 currency = _hash(payment.currency);
        if (currency != terms.outputCurrency && terms.outputCurrency != ANY_CURRENCY) {
            revert OutputCurrencyDiffers(payment.currency, terms.outputCurrency);
        }
        uint256 minimum = payment.minimumAmount;
        if (terms.minimumAmount == 0) revert MinimumIsZero();
        if (minimum < terms.minimumAmount) revert MinimumTooLow(minimum, terms.minimumAmount);
        bytes32 hash = keccak256(
            abi.encode(OUTPUT_PAYMENT_TYPEHASH, recipient, currency, minimum, payment.expectedAmount)
        );
        // One member, as in the inputs.
        return keccak256(abi.encode(hash));
    }

    function _hashCalls(bytes[] calldata calls) private pure returns (bytes32) {
        if (calls.length == 0) return EMPTY_HASH;
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i; i < calls.length; ++i) hashes[i] = _hash(calls[i]);
        return _hashList(hashes);
    }

    function _hashFees(Fee[] calldata fees, Terms memory terms) private pure returns (bytes32) {
        if (fees.length == 0) return EMPTY_HASH;
        bytes32[] memory hashes = new bytes32[](fees.length);
        uint256 sum;
        for (uint256 i; i < fees.length; ++i) {
            Fee calldata fee = fees[i];
            bytes32 chain = _hash(bytes(fee.currencyChainId));
            bytes32 currency = _hash(fee.currency);
            if (chain != terms.originChain || currency != hashOf(terms.currency)) {
                revert FeeCurrencyDiffers(i, fee.currencyChainId, fee.currency, terms.currency);
            }
            unchecked {
                sum = sum + fee.amount < sum ? type(uint256).max : sum + fee.amount;
            }
            if (sum > terms.maximumFees) revert FeesTooHigh(sum, terms.maximumFees);
            hashes[i] = _hashFee(fee, chain, currency);
        }
        return _hashList(hashes);
    }

    function _hashFee(Fee calldata fee, bytes32 chain, bytes32 currency) private pure returns (bytes32) {
        bytes32 recipientChain = _hash(bytes(fee.recipientChainId));
        return
            keccak256(
                abi.encode(FEE_TYPEHASH, recipientChain, _hash(fee.recipient), chain, currency, fee.amount)
            );
    }

    /// @dev Recovers from either form. Zero if no key can have made the signature.
    function _recover(bytes32 orderId, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65 && signature.length != 64) {
            revert SignatureLengthDiffers(signature.length, 65);
        }
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v;
        if (signature.length == 65) {
            v = uint8(signature[64]);
        } else {
            // The top bit of `s` is the parity.
            v = uint8(27 + (uint256(s) >> 255));
            s = bytes32((uint256(s) << 1) >> 1);
        }
        if (s > MAX_S) revert SignatureSAboveHalf(s, MAX_S);
        return ecrecover(keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", orderId)), v, r, s);
    }

    /// @dev Copies to free memory, because keccak256 reads memory only.
    function _hash(bytes calldata content) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            calldatacopy(free, content.offset, content.length)
            hash := keccak256(free, content.length)
        }
    }

    function _hashList(bytes32[] memory hashes) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            hash := keccak256(add(hashes, 0x20), shl(5, mload(hashes)))
        }
    }

    function _isZero(bytes calldata content) private pure returns (bool) {
        for (uint256 i; i < content.length; ++i) if (content[i] != 0) return false;
        return true;
    }
}
